package discovery

// A child is one entry of an open folder.
type child struct {
	name string
	link bool // a link, wherever it leads
}
