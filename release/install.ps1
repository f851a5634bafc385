# Installs agents-hooks from a release, for this user:
#
#   irm https://github.com/agents-hooks/agents-hooks/releases/latest/download/install.ps1 | iex
#
# AGENTS_HOOKS_PREFIX, AGENTS_HOOKS_VERSION and AGENTS_HOOKS_FROM name another folder,
# another release, a mirror of the releases. What is fetched has to have the sum that the
# release's checksums.txt says, or nothing is installed.
& {
    $ErrorActionPreference = 'Stop'
    $ProgressPreference = 'SilentlyContinue'
    $prefix = if ($env:AGENTS_HOOKS_PREFIX) { $env:AGENTS_HOOKS_PREFIX } else { Join-Path $env:LOCALAPPDATA 'Programs\agents-hooks' }
    $from = if ($env:AGENTS_HOOKS_FROM) { $env:AGENTS_HOOKS_FROM } else { 'https://github.com/agents-hooks/agents-hooks/releases' }
    $base = if ($env:AGENTS_HOOKS_VERSION) { "$from/download/$env:AGENTS_HOOKS_VERSION" } else { "$from/latest/download" }
    $arch = if ($env:PROCESSOR_ARCHITECTURE -eq 'ARM64' -or $env:PROCESSOR_ARCHITEW6432 -eq 'ARM64') { 'arm64' } else { 'amd64' }
    $temp = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
    New-Item -ItemType Directory $temp | Out-Null
    try {
        Invoke-WebRequest -UseBasicParsing "$base/checksums.txt" -OutFile "$temp\checksums.txt"
        $lines = @(Select-String -Path "$temp\checksums.txt" -Pattern "^([0-9a-f]{64})  (agents-hooks_[0-9][0-9A-Za-z.+-]*_windows_$arch\.zip)$")
        if ($lines.Count -ne 1) { throw "agents-hooks: checksums.txt has $($lines.Count) sums for windows on ${arch}: nothing was installed" }
        $want, $archive = $lines[0].Matches[0].Groups[1].Value, $lines[0].Matches[0].Groups[2].Value
        Invoke-WebRequest -UseBasicParsing "$base/$archive" -OutFile "$temp\$archive"
        $have = (Get-FileHash -Algorithm SHA256 "$temp\$archive").Hash.ToLower()
        if ($have -ne $want) { throw "agents-hooks: $archive has the sum $have, and $want is wanted: nothing was installed" }
        Expand-Archive "$temp\$archive" "$temp\new"
        $unpacked = (Get-ChildItem "$temp\new")[0].FullName
        New-Item -ItemType Directory -Force "$prefix\bin", "$prefix\share\agents-hooks" | Out-Null
        foreach ($name in 'agents-hooks-run.exe', 'agents-hooks.exe') {
            # A program that runs can be renamed and not overwritten.
            Remove-Item -Force "$prefix\bin\$name.old" -ErrorAction SilentlyContinue
            if (Test-Path "$prefix\bin\$name") { Move-Item -Force "$prefix\bin\$name" "$prefix\bin\$name.old" }
            Copy-Item "$unpacked\$name" "$prefix\bin\$name"
        }
        Set-Content "$prefix\share\agents-hooks\installed-by" 'script'
    } finally {
        Remove-Item -Recurse -Force $temp
    }
    Write-Host "agents-hooks: $archive is in $prefix"
    if (($env:PATH -split ';') -notcontains "$prefix\bin") { Write-Host "agents-hooks: $prefix\bin is not on your PATH" }
    Write-Host 'agents-hooks: next: agents-hooks install --all'
}
