package conformance

const exeSuffix = ".exe"
