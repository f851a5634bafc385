$hookEvent = [Console]::In.ReadToEnd() | ConvertFrom-Json
Add-Content -Path (Join-Path $env:HOME 'calls.log') -Value "$env:AGENTS_HOOKS_AGENT ran: $($hookEvent.tool_input.command)"
