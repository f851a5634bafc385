// Command empty is the yardstick E: what any Go program costs to start.
package main

func main() {}
