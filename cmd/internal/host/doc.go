// Package host is the only reader of the environment, of the XDG directories and of the
// executable's own path. The result is a value, [Host], that is passed down; no other code
// below cmd reads these from the process. In agent form that value is closed ([Host.Closed]):
// paths come from the agent's entry, and only the variables of one table are honoured. The
// command line gets its base directories from a library, through package libhost, which is
// tested to be equal to this package.
//
// Directories. Relative values of XDG variables are ignored, as the XDG specification
// requires.
//
//	          Unix, macOS too                       Windows
//	config    $XDG_CONFIG_HOME, ~/.config           $XDG_CONFIG_HOME, %AppData%
//	state     $XDG_STATE_HOME,  ~/.local/state      $XDG_STATE_HOME,  %LocalAppData%
//	cache     $XDG_CACHE_HOME,  ~/.cache            $XDG_CACHE_HOME,  %LocalAppData%\cache
//	data      $XDG_DATA_HOME,   ~/.local/share      $XDG_DATA_HOME,   %LocalAppData%\data
//	system    $XDG_CONFIG_DIRS, /etc/xdg            $XDG_CONFIG_DIRS, %ProgramData%
//
// macOS follows the Unix column on purpose: HOOK.md folders are in
// ~/.config/agents/hooks there too.
package host
