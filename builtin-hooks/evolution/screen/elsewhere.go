package screen

import (
	"slices"
	"strings"
)

// The following remove or expose something that runs or is stored on other machines.

func dockers(args []string) (string, string) {
	all := " " + strings.Join(args, " ") + " "
	for _, p := range []string{" system prune ", " volume prune ", " volume rm ", " image prune -a", " container prune "} {
		if strings.Contains(all, p) && (p != " system prune " || strings.Contains(all, "volume") || strings.Contains(all, " -a") || strings.Contains(all, "--all")) {
			return Destructive, "removes volumes or images"
		}
	}
	if strings.Contains(all, " compose ") {
		return composes(args)
	}
	if strings.Contains(all, " --privileged ") || strings.Contains(all, " /:/") || strings.Contains(all, "=/:/") {
		return Weakens, "gives a container the whole machine"
	}
	return "", ""
}

// clusters allows deleting a pod by name: whatever owns it makes another one.
func clusters(args []string) (string, string) {
	if i := slices.Index(args, "delete"); i >= 0 && i+2 < len(args) && (args[i+1] == "pod" || args[i+1] == "po") && !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--all") || a == "--force" || a == "-l" }) {
		return "", ""
	}
	return verbs("removes what runs in a cluster", "delete", "drain", "replace")(args)
}

func composes(args []string) (string, string) {
	if has(args, "down", "rm") && (has(args, "-v", "--volumes") || short(args, "v")) {
		return Destructive, "removes volumes"
	}
	return "", ""
}

func terraforms(args []string) (string, string) {
	if has(args, "destroy", "-destroy") || has(args, "apply") && slices.ContainsFunc(args, func(a string) bool { return strings.TrimLeft(a, "-") == "auto-approve" }) || has(args, "state") && has(args, "rm") || has(args, "workspace") && has(args, "delete") {
		return Destructive, "removes or changes infrastructure without a look"
	}
	return "", ""
}

func clouds(args []string) (string, string) {
	if dry(args) {
		return "", ""
	}
	for i, a := range args {
		if a == "delete" || a == "rb" || a == "destroy" || a == "purge" || a == "rm" || strings.HasPrefix(a, "delete-") || strings.HasPrefix(a, "terminate-") || strings.HasSuffix(a, ":destroy") || strings.HasSuffix(a, ":reset") || a == "sync" && has(args[i:], "--delete") {
			return Destructive, "removes what runs or is stored elsewhere"
		}
	}
	return "", ""
}
