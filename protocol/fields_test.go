package protocol

import (
	"reflect"
	"slices"
	"testing"
)

// A field of the outcome is handled in every place that handles all fields: one that
// is set is not empty, it is written, and it is read back unchanged.
func TestEveryFieldOfAnOutcomeIsKnown(t *testing.T) {
	t.Parallel()
	// What the runner and Fit note besides what hooks said.
	notes := []string{"Insists", "Wanted", "Later", "Replacers", "EnvFrom", "Refusal"}
	typ := reflect.TypeFor[Outcome]()
	for i := range typ.NumField() {
		name := typ.Field(i).Name
		if slices.Contains(notes, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var o Outcome
			switch f := reflect.ValueOf(&o).Elem().Field(i); f.Interface().(type) {
			case Decision:
				f.Set(reflect.ValueOf(Ask))
			case string:
				f.SetString("x")
			case Object:
				f.Set(reflect.ValueOf(Object{{"x", Raw(`"y"`)}}))
			case Raw:
				f.Set(reflect.ValueOf(Raw(`"x"`)))
			default:
				t.Fatalf("a field of type %s: say what it is when it is set", f.Type())
			}
			if o.Empty() {
				t.Error("Empty: an outcome with it is taken for nothing")
			}
			if name == "Halt" {
				return // the format has no word for it: it comes from another protocol, and goes only into an agent's own answer
			}
			a, err := ParseAnswer(o.JSON())
			if err != nil || len(a.Warnings) > 0 || !reflect.DeepEqual(a.Outcome, o) {
				t.Errorf("said as %s, read as %+v, %v %v", o.JSON(), a.Outcome, a.Warnings, err)
			}
		})
	}
}
