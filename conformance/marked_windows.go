package conformance

// canSeeProcesses says whether marked can find anything on this system.
const canSeeProcesses = false

// marked finds nothing: Windows does not show the environment of a process.
func marked(string) []int { return nil }
