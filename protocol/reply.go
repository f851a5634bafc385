package protocol

// A Reply is the dispatcher's answer to the agent.
type Reply struct {
	Stdout []byte
	Stderr []byte
	Exit   int

	// Continue is the text with which the agent was made to go on, exactly as the agent
	// got it; "" if it was not.
	Continue string

	// Files are appended to before the answer is written.
	Files []FileText

	// Cuts names the texts that were longer than FieldMax, as the agent calls them.
	Cuts []string
}

// Silence is the "no opinion" of an agent that takes no output for that.
func Silence(string) Reply { return Reply{} }

// EmptyObject is that of an agent that wants an object from every hook.
func EmptyObject(string) Reply { return Reply{Stdout: []byte("{}\n")} }

// A FileText is text to be appended to a file that the agent named, created
// with mode 0600 if it is not there.
type FileText struct {
	Path string
	Text []byte
}
