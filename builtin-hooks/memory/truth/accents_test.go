package truth

import "testing"

// A fact that is written in the other form of Unicode says nothing new.
// BM-FND-17.
func TestTheOtherFormOfALetterIsTheSame(t *testing.T) {
	t.Parallel()
	for older, newer := range map[string]string{
		"José drives the van":      "Jose\u0301 drives the van",
		"Mu\u0308ller reviews SQL": "Müller reviews SQL",
	} {
		if v := Compare(older, newer); v != Same {
			t.Errorf("%q and %q: %v", older, newer, v)
		}
	}
}
