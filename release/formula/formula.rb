# Written by release/formula of agents-hooks.
{{- define "one"}}      url "https://github.com/agents-hooks/agents-hooks/releases/download/v{{.Version}}/{{.Name}}"
      sha256 "{{.Sum}}"
{{- end}}
class AgentsHooks < Formula
  desc "One folder of hooks for every coding agent"
  homepage "https://github.com/agents-hooks/agents-hooks"
  version "{{.linux_amd64.Version}}"
  license "MIT"

  on_macos do
    on_arm do
{{template "one" .darwin_arm64}}
    end
    on_intel do
{{template "one" .darwin_amd64}}
    end
  end

  on_linux do
    on_arm do
{{template "one" .linux_arm64}}
    end
    on_intel do
{{template "one" .linux_amd64}}
    end
  end

  def install
    bin.install "agents-hooks", "agents-hooks-run"
    man1.install Dir["man/man1/*"]
    bash_completion.install "completions/agents-hooks"
    zsh_completion.install "completions/_agents-hooks"
    fish_completion.install "completions/agents-hooks.fish"
    pkgshare.install "examples"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/agents-hooks version")
  end
end
