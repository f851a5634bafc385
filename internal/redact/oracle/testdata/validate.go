// Package utils: this file takes the place of the one of gitleaks that checks the
// examples of a rule and forgets them. It prints each example, and what gitleaks
// finds in it, as a line of JSON.
package utils

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/zricethezav/gitleaks/v8/cmd/generate/config/base"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
)

func Validate(rule config.Rule, hits, others []string) *config.Rule {
	d := detectorOf(&rule)
	for _, text := range append(hits, others...) {
		tell(d, rule.RuleID, detect.Fragment{Raw: text})
	}
	return &rule
}

func ValidateWithPaths(rule config.Rule, hits, others map[string]string) *config.Rule {
	d := detectorOf(&rule)
	for _, texts := range []map[string]string{hits, others} {
		for path, text := range texts {
			tell(d, rule.RuleID, detect.Fragment{Raw: text, FilePath: path})
		}
	}
	return &rule
}

func tell(d *detect.Detector, rule string, f detect.Fragment) {
	line := struct {
		Rule, Text string
		Secrets    []string
	}{Rule: rule, Text: f.Raw}
	for _, found := range d.Detect(f) {
		line.Secrets = append(line.Secrets, found.Secret)
	}
	if err := json.NewEncoder(os.Stdout).Encode(line); err != nil {
		panic(err)
	}
}

func detectorOf(r *config.Rule) *detect.Detector {
	cfg := base.CreateGlobalConfig()
	cfg.Rules, cfg.Keywords = map[string]config.Rule{}, map[string]struct{}{}
	for i, k := range r.Keywords {
		r.Keywords[i] = strings.ToLower(k)
		cfg.Keywords[r.Keywords[i]] = struct{}{}
	}
	cfg.Rules[r.RuleID] = *r
	for _, a := range cfg.Allowlists {
		if err := a.Validate(); err != nil {
			panic(err)
		}
	}
	return detect.NewDetector(cfg)
}
