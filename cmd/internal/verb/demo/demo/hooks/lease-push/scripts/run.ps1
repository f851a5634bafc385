$hookEvent = [Console]::In.ReadToEnd() | ConvertFrom-Json
$safer = $hookEvent.tool_input.command -replace '--force(?!-with-lease)', '--force-with-lease'
@{ modified_input = @{ command = $safer }; user_message = '--force became --force-with-lease' } | ConvertTo-Json -Compress
