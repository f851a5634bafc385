package export

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/otlp"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// Variables that say where OpenTelemetry's own programs send to, in order of precedence. The
// worker does not read them: it runs where an agent calls, and a repository can set that
// environment.
var (
	endpoints    = []string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"}
	certificates = []string{"OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", "OTEL_EXPORTER_OTLP_CERTIFICATE"}
	protocols    = []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"}
)

// first is the value of the first variable that is set, and its name.
func first(sh *shell.Shell, names []string) (value, name string) {
	for _, n := range names {
		if v := strings.TrimSpace(sh.Host.Getenv(n)); v != "" {
			return v, n
		}
	}
	return "", ""
}

// A collector to be written into the settings.
type collector struct {
	address, caFile string
	headers         map[string]string
	from            []string // the user's variables that say so
}

// found combines the command line, the settings and the user's variables.
func found(sh *shell.Shell, have *discovery.Export, o exportOptions) (c collector, err error) {
	said, variable := first(sh, endpoints)
	c.address = cmp.Or(o.to, said)
	if o.to == "" && have != nil {
		if said != "" && said != have.OTLP {
			return c, shell.WithHint(fmt.Errorf("export: %s names %s, but %s names another collector", variable, otlp.Target{Address: said}.Shown(), sh.Short(have.At)), "export --to ADDRESS says which, and headers of your variables go there")
		}
		c.address = have.OTLP
	}
	if c.address == "" {
		return c, shell.WithHint(fmt.Errorf("export: no collector is named"), "agents-hooks export --to http://localhost:4318")
	}
	if how, name := first(sh, protocols); how == "grpc" && o.to == "" && have == nil {
		return c, shell.WithHint(fmt.Errorf("export: %s is grpc, but only HTTP is supported", name), "the collector's receiver for HTTP is usually on port 4318: agents-hooks export --to http://HOST:4318")
	}
	if _, err := (otlp.Target{Address: c.address}).URL(); err != nil {
		return c, shell.Usagef("export: %q is not a collector's address: want http://host:4318", otlp.Target{Address: c.address}.Shown())
	}
	if o.to == "" && have == nil {
		c.from = append(c.from, variable)
	}
	if c.headers = otlp.EnvHeaders(sh.Host.Getenv); len(c.headers) > 0 {
		c.from = append(c.from, otlp.HeaderVariables(sh.Host.Getenv)...)
	}
	if file, name := first(sh, certificates); file != "" {
		c.caFile, c.from = file, append(c.from, name)
	}
	return c, nil
}

// point writes a collector into the user's own settings, and what the user's variables say
// about it if the user agrees: a header is a key.
func point(sh *shell.Shell, have *discovery.Export, o exportOptions) error {
	if err := sh.OnlyPerson("export"); err != nil {
		return err
	}
	c, err := found(sh, have, o)
	if err != nil {
		return err
	}
	if have != nil && len(have.Headers) > 0 && c.address != have.OTLP && !o.takeOver {
		names := strings.Join(slices.Sorted(maps.Keys(have.Headers)), ", ")
		question := fmt.Sprintf("the headers in %s (%s) were given for %s. Send them to %s?", sh.Short(have.File), names, otlp.Target{Address: have.OTLP}.Shown(), otlp.Target{Address: c.address}.Shown())
		if err := sh.Confirm(false, question, "export --take-over"); err != nil {
			return shell.WithHint(err, "export --to ADDRESS --take-over, if they are for that collector, too; else take them out of [export.headers] first")
		}
	}
	file := setup.SettingsFile(sh.Host, nil, false)
	if len(c.from) > 0 && !o.takeOver {
		names := slices.Sorted(maps.Keys(c.headers))
		question := fmt.Sprintf("%s: set here, and not read where an agent calls. Write what they say (headers: %s) into %s, which nobody but you may read then?", strings.Join(c.from, ", "), cmp.Or(strings.Join(names, ", "), "none"), sh.Short(file))
		if err := sh.Confirm(false, question, "export --take-over"); err != nil {
			sh.Say("%s: left where it is: %v", strings.Join(c.from, ", "), err)
			sh.Hints([]string{"agents-hooks export --take-over writes that into " + sh.Short(file)})
			c.headers, c.caFile, c.from = nil, "", nil
		}
	}
	f, err := setup.OpenConfig(file, "")
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	content, err := discovery.SetExport(f.Content, c.address, c.caFile, c.headers)
	if err != nil {
		return fmt.Errorf("export: %s: %w", sh.Short(f.Real), err)
	}
	if info, err := os.Stat(f.Real); err == nil && len(c.headers) > 0 && info.Mode().Perm()&0o077 != 0 {
		// Before it contains a key. A new file has mode 0600.
		if err := os.Chmod(f.Real, info.Mode().Perm()&^0o077); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	if _, err := f.Write(content); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if len(c.from) > 0 {
		sh.Say("%s: taken over into %s", strings.Join(c.from, ", "), sh.Short(f.Real))
	}
	if have == nil || have.OTLP != c.address {
		return otlp.Soon(sh.Host.State, sh.Host.Now())
	}
	return nil
}

// hintUnread names the variables that are set here, and that the worker does not read.
func hintUnread(sh *shell.Shell, e *discovery.Export) {
	names := otlp.HeaderVariables(sh.Host.Getenv)
	if e == nil {
		if _, name := first(sh, endpoints); name != "" {
			names = append(names, name)
		}
	} else if own := otlp.EnvHeaders(sh.Host.Getenv); len(own) > 0 {
		for name, value := range e.Headers {
			if own[name] == value {
				delete(own, name)
			}
		}
		if len(own) == 0 {
			names = nil
		}
	}
	if len(names) > 0 {
		sh.Say("%s: set here, and not read by the worker that agents start", strings.Join(names, ", "))
		sh.Hints([]string{"agents-hooks export --take-over writes that into your hooks.toml"})
	}
}
