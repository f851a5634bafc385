package keep

// mayStart finds nothing to say: there is no such right here.
func mayStart(string) error { return nil }
