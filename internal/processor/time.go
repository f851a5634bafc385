// Package processor tells how much of the processors this process has had. A limit on
// work that is measured by it holds on a busy machine too, where a clock on the wall
// goes on while others run.
package processor
