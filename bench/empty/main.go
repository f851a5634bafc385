// Command empty is the yardstick E: the start-up time of any Go program.
package main

func main() {}
