package main

import (
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

func (t *tool) versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version of the program and of the format",
		Flags: []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			if _, err := args(c, 0, 0, "no argument"); err != nil {
				return err
			}
			v := programVersion()
			if c.Bool("json") {
				return t.json(map[string]any{"schema": 1, "version": v, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH})
			}
			t.printf("agents-hooks %s (%s, %s/%s)\n", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

// programVersion is the version that the module system stamped into the
// program, "devel" for a build from a working copy.
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
