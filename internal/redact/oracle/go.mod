module github.com/agents-hooks/agents-hooks/internal/redact/oracle

go 1.26.0

require (
	github.com/agents-hooks/agents-hooks v0.0.0
	github.com/zricethezav/gitleaks/v8 v8.30.1
)

replace github.com/agents-hooks/agents-hooks => ../../..
