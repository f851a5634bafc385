# Installs agents-hooks from a release, for this user:
#
#   irm https://github.com/agents-hooks/agents-hooks/releases/latest/download/install.ps1 | iex
#
# AGENTS_HOOKS_PREFIX, AGENTS_HOOKS_VERSION and AGENTS_HOOKS_FROM name another folder,
# another release, a mirror of the releases. As a file, where scripts are not allowed:
#
#   powershell -ExecutionPolicy Bypass -File install.ps1
#
# What is fetched has to have the sum that the release's checksums.txt says, and to be of
# the version that is asked for, or nothing is installed. For Windows PowerShell 5.1 and
# for PowerShell 7. Files are .NET's to handle, since the commands for them take brackets in
# a path for a pattern, and some are not found by a 5.1 that a 7 started.
& {
    $ErrorActionPreference = 'Stop'
    $nothing = 'nothing was installed'
    $arch = switch ($(if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE })) {
        'AMD64' { 'amd64' }
        'ARM64' { 'arm64' }
        default { throw "agents-hooks: no release for Windows on ${_}: $nothing" }
    }
    $prefix = $env:AGENTS_HOOKS_PREFIX
    if (-not $prefix) {
        if (-not $env:LOCALAPPDATA) { throw "agents-hooks: LOCALAPPDATA is not set: AGENTS_HOOKS_PREFIX says where to; $nothing" }
        $prefix = [IO.Path]::Combine($env:LOCALAPPDATA, 'Programs', 'agents-hooks')
    }
    $prefix = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($prefix)
    $bin = [IO.Path]::Combine($prefix, 'bin')
    $share = [IO.Path]::Combine($prefix, 'share', 'agents-hooks')
    $from = if ($env:AGENTS_HOOKS_FROM) { $env:AGENTS_HOOKS_FROM.TrimEnd('/') } else { 'https://github.com/agents-hooks/agents-hooks/releases' }
    if ($env:AGENTS_HOOKS_VERSION -and $env:AGENTS_HOOKS_VERSION -ne 'latest') {
        $number = $env:AGENTS_HOOKS_VERSION -replace '^v', ''
        $base = "$from/download/v$number"
        $number = [Regex]::Escape($number)
    } else {
        $base = "$from/latest/download"
        $number = '[0-9][0-9A-Za-z.+-]*'
    }
    if ($PSVersionTable.PSVersion.Major -lt 6) {
        Add-Type -AssemblyName System.IO.Compression.FileSystem
        # An older Windows offers only what GitHub no longer takes.
        [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
    }

    $temp = [IO.Path]::Combine([IO.Path]::GetTempPath(), 'agents-hooks-' + [Guid]::NewGuid())
    [void][IO.Directory]::CreateDirectory($temp)
    try {
        $fetch = {
            param($name)
            $file = [IO.Path]::Combine($temp, $name)
            try { (New-Object Net.WebClient).DownloadFile("$base/$name", $file) }
            catch { throw "agents-hooks: cannot fetch $base/${name}: $($_.Exception.GetBaseException().Message): $nothing" }
            $file
        }
        $found = @([IO.File]::ReadAllLines((& $fetch 'checksums.txt')) | ForEach-Object {
                [Regex]::Match($_, "^((?i)[0-9a-f]{64}(?-i))  (agents-hooks_${number}_windows_$arch\.zip)$") } | Where-Object { $_.Success })
        if ($found.Count -eq 0) { throw "agents-hooks: $base/checksums.txt has no sum for windows on ${arch}: $nothing" }
        if ($found.Count -gt 1) { throw "agents-hooks: $base/checksums.txt has several sums for windows on ${arch}: $nothing" }
        $want = $found[0].Groups[1].Value
        $archive = $found[0].Groups[2].Value
        $zip = & $fetch $archive
        $stream = [IO.File]::OpenRead($zip)
        try { $hash = [Security.Cryptography.SHA256]::Create().ComputeHash($stream) } finally { $stream.Close() }
        $have = [BitConverter]::ToString($hash).Replace('-', '').ToLowerInvariant()
        if ($have -ne $want) { throw "agents-hooks: $archive has the sum $have, and $want is wanted: $nothing" }

        $new = [IO.Path]::Combine($temp, 'new')
        [IO.Compression.ZipFile]::ExtractToDirectory($zip, $new)
        $unpacked = @([IO.Directory]::GetDirectories($new))[0]
        $programs = 'agents-hooks-run.exe', 'agents-hooks.exe'
        foreach ($name in $programs) {
            if (-not $unpacked -or -not [IO.File]::Exists([IO.Path]::Combine($unpacked, $name))) { throw "agents-hooks: $archive holds no ${name}: $nothing" }
        }
        try {
            [void][IO.Directory]::CreateDirectory($bin)
            [void][IO.Directory]::CreateDirectory($share)
            # All that takes long is done before a program that is there is touched.
            foreach ($name in $programs) { [IO.File]::Copy([IO.Path]::Combine($unpacked, $name), [IO.Path]::Combine($bin, "$name.new"), $true) }
        } catch { throw "agents-hooks: cannot write to ${prefix}: $($_.Exception.Message): $nothing; AGENTS_HOOKS_PREFIX names another place" }
        foreach ($name in $programs) {
            $program = [IO.Path]::Combine($bin, $name)
            # A program that runs can be moved, and neither overwritten nor removed: what was
            # moved aside goes with an installation after it has ended.
            foreach ($old in [IO.Directory]::GetFiles($bin, "$name.*.old")) { try { [IO.File]::Delete($old) } catch { } }
            $aside = "$program.$([Guid]::NewGuid()).old"
            $was = [IO.File]::Exists($program)
            if ($was) { [IO.File]::Move($program, $aside) }
            try { [IO.File]::Move("$program.new", $program) } catch { if ($was) { [IO.File]::Move($aside, $program) }; throw }
            try { [IO.File]::Delete($aside) } catch { }
        }
        foreach ($part in 'examples', 'completions') {
            $to = [IO.Path]::Combine($share, $part)
            if ([IO.Directory]::Exists($to)) { [IO.Directory]::Delete($to, $true) }
            $source = [IO.Path]::Combine($unpacked, $part)
            foreach ($file in [IO.Directory]::GetFiles($source, '*', 'AllDirectories')) {
                $target = $to + $file.Substring($source.Length)
                [void][IO.Directory]::CreateDirectory([IO.Path]::GetDirectoryName($target))
                [IO.File]::Copy($file, $target)
            }
        }
        [IO.File]::WriteAllText([IO.Path]::Combine($share, 'installed-by'), "script`n")
    } finally {
        try { [IO.Directory]::Delete($temp, $true) } catch { }
    }

    Write-Host "agents-hooks: $archive is in $prefix"
    if (($env:PATH -split [IO.Path]::PathSeparator) -notcontains $bin) {
        $quoted = $bin -replace "'", "''"
        Write-Host "agents-hooks: $bin is not on your PATH; for good, and for this window:"
        Write-Host "  [Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';$quoted', 'User'); `$env:PATH += ';$quoted'"
        Write-Host 'agents-hooks: next: then agents-hooks install --all'
    } else {
        Write-Host 'agents-hooks: next: agents-hooks install --all'
    }
}
