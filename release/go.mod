module github.com/agents-hooks/agents-hooks/release

go 1.26.0

require github.com/CycloneDX/cyclonedx-go v0.12.0

require gopkg.in/yaml.v3 v3.0.1
