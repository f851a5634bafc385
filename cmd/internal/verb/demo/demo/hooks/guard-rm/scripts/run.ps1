[Console]::Error.WriteLine("rm -rf is not for agents: name the files, or ask the person to run it")
exit 2
