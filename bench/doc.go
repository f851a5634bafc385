// Command bench measures what the dispatcher costs, as ratios.
//
//	go run ./bench                  # all goals, 60 rounds
//	go run ./bench -rounds 200      # less noise
//	go run ./bench -goals           # fail if a goal is missed by more than a quarter (-headroom)
//	go run ./bench -write           # and put it into bench/measured.json and the pages that show it
//	go run ./bench -peers           # compared with other installed programs
//	go run ./bench -memory          # memory: search, save and load at 1,000 to 100,000 facts
//	go run ./bench -workspace       # the cost of a session bound to a large workspace
//	go run ./bench -init            # what each linked package costs before main runs
//
// It builds the program as it is shipped (CGO_ENABLED=0, the tag nethttpomithttp2,
// stripped), creates homes and projects with 0 to 1,000 hook folders, installs the entry
// with the program itself, and runs the command that install wrote. Commands run round
// robin, and a ratio is the median of the ratios of its rounds, since load slows both
// sides equally. Milliseconds are printed only for orientation.
//
// Two yardsticks: D is the same sh hook started directly, E is an empty Go
// program of the same toolchain. Peers and other interpreters are measured where
// they are installed, and shown; -goals holds what is ours.
package main
