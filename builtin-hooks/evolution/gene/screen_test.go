package gene

import "testing"

// Nothing that comes with the program would be held, in any language.
func TestSeedsAreNotHeld(t *testing.T) {
	t.Parallel()
	list, err := Seeds()
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		for _, f := range Screen(&list[i]) {
			t.Errorf("%s: %s", list[i].ID, f)
		}
	}
}
