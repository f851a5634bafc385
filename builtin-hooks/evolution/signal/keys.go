package signal

// A Key is the name of a signal.
type Key string

// The signals that are searched for. If several are equally frequent, a failure is
// named after the first: the most specific comes first.
const (
	PortInUse   Key = "error:port_in_use"
	ModuleGone  Key = "error:module_not_found"
	Prisma      Key = "error:prisma"
	TypeScript  Key = "error:typescript"
	OOM         Key = "error:oom"
	Refused     Key = "error:connection_refused"
	Permission  Key = "error:permission_error"
	Timeout     Key = "error:timeout"
	Test        Key = "error:test_failure"
	Build       Key = "error:build_failure"
	Deploy      Key = "error:deploy_failure"
	NotFound    Key = "error:not_found"
	Generic     Key = "error:generic"
	keysInTotal     = 13
)

// Keys are all signals, the most specific first.
func Keys() []Key { return append([]Key(nil), keys[:]...) }

var keys = [keysInTotal]Key{PortInUse, ModuleGone, Prisma, TypeScript, OOM, Refused, Permission, Timeout, Test, Build, Deploy, NotFound, Generic}

// A set is some of the keys, one bit each, in order.
type set uint16

const (
	portInUse set = 1 << iota
	moduleGone
	prisma
	typeScript
	oom
	refused
	permission
	timeout
	test
	build
	deploy
	notFound
	generic
)

func (s set) list() (out []Key) {
	for i, k := range keys {
		if s&(1<<i) != 0 {
			out = append(out, k)
		}
	}
	return out
}

// Fits reports whether the success of a command of this class shows that a signal's
// trouble is over, because that trouble occurs in such commands. For the other signals
// only the command itself shows it: installing a package is not yet the program that
// lacks it.
func (k Key) Fits(c Class) bool {
	switch k {
	case TypeScript:
		return c == TypeCheck || c == Compile
	case Build:
		return c == Compile
	case Test:
		return c == Tests
	case Deploy:
		return c == Deployment
	case Prisma:
		return c == Migration
	}
	return false
}
