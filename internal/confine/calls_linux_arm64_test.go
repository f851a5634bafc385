package confine

// otherCalls would be those of 32-bit ARM, which a 64-bit process cannot make.
func otherCalls() map[string]func(w world) error { return nil }
