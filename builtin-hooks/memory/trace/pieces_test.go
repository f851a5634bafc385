package trace

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

const vault = "The vault room is called xanthoria and holds 12 racks"

// What was cut off at either end, or lost its numbers, is found in what the program noted, and taken
// out of it with what is left of a word; other words, and paths, stay.
// BM-HND-34.
func TestAPieceIsFoundInWhatWasNoted(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ said, text, want string }{
		{vault, `ran: psql -c "insert into t values ('The vault room is called xanthoria and holds 12… — ended: x`, `ran: psql -c "insert into t values ('… — ended: x`},
		{vault, `Rename it | The vault room is called xanthoria and holds 12 r…`, `Rename it | …`},
		{vault, `(failed: insert into t values ('The vault room is called xanthoria and…)`, `(failed: insert into t values ('…)`},
		{vault, `text=error: refused by cat notes: The vault room is called xanthoria and holds racks')"`, `text=error: refused by cat notes: …')"`},
		{vault, `said=error:_by_"insert_the_vault_room_is_called_xanthoria_…`, `said=error:_by_"insert_…`},
		{vault, `done … called xanthoria and holds 12 racks, ok`, `done …, ok`},
		{vault, `noted …lled xanthoria and holds 12 racks`, `noted …`},
		{vault, `wrote: the vault…`, `wrote: …`},
		{vault, `the vault room xanth…`, `…`},
		{vault, `the vault is open, the room is called lichen`, `the vault is open, the room is called lichen`},
		{vault, `wrote the vault of the bank — changed: …`, `wrote the vault of the bank — changed: …`},
		{"Quillfeather7 has the key of the tower", "asked: Quillfeather has the key of …", "asked: …"},
		{"Quillfeather7 has the key of the tower", "7 Quillfeather has the key of the tower 9", "…"},
		{"Vault lichen holds 12 racks", "cat: vault lichen holds racks", "cat: …"},
		{"The sources are in /srv/shop/till/front/pay/card/main.go", "/srv/shop/till/front/pay/card/main.go", "/srv/shop/till/front/pay/card/main.go"},
		{"金库房间叫做石黄衣，里面有十二个机架", "做了：金库房间叫做石黄衣，里…", "做了：…"},
		{"金库房间叫做石黄衣，里面有十二个机架", "决定：金库房间叫做石黄衣里面有机架 — 改动：a", "决定：…机架 — 改动：a"},
		{"金库房间叫做石黄衣，里面有十二个机架", "金库的房间在里面", "金库的房间在里面"},
		{"Сейф за картиной открывает ключ Марфы 7", "спросили: Сейф за картиной открывает кл…", "спросили: …"},
		{"", "nothing…", "nothing…"},
	} {
		if got := Of(row.said).Anywhere().Without(row.text); got != row.want {
			t.Errorf("%q without %q:\n%q, want\n%q", row.text, row.said, got, row.want)
		}
		if Of(row.said).Says(row.text) && strings.Contains(row.text, "…") {
			t.Errorf("%q counts as said by somebody who wrote %q", row.said, row.text)
		}
	}
}

// A removal that goes on knows the pieces by what it remembered.
// BM-HND-28, BM-HND-34.
func TestPiecesAreFoundByWhatWasRemembered(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(Of(vault))
	var back Marks
	must.Do(t, json.Unmarshal(b, &back))
	if got := back.Anywhere().Without("ran: the vault room is called xanth…"); got != "ran: …" || err != nil || strings.Contains(string(b), "xanthoria") {
		t.Errorf("%q, %s, %v", got, b, err)
	}
}
