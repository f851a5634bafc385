// Package secrets: this file takes the place of the one of gitleaks that makes an
// example of a regular expression, another one each time. Here the seed decides.
package secrets

import (
	"os"
	"strconv"

	"github.com/lucasjones/reggen"
)

var made int64

func NewSecret(regex string) string {
	g, err := reggen.NewGenerator(regex)
	if err != nil {
		panic(err)
	}
	seed, _ := strconv.ParseInt(os.Getenv("ORACLE_SEED"), 10, 64)
	made++
	g.SetSeed(seed*1_000_000 + made)
	return g.Generate(1)
}
