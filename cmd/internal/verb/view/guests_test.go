package view

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Connections that say nothing, or not the token, do not shut out the page, and an open page stays.
func TestStrangersDoNotShutOutThePage(t *testing.T) {
	t.Parallel()
	sh, project := machine(t, 0)
	o := served(project, "")
	o.mostGuests = 16 // each is a descriptor here and one there
	address := servingAs(t, sh, o)
	host := strings.Split(address, "/")[2]
	page, err := net.Dial("tcp", host)
	must.Do(t, err)
	defer page.Close()
	get := func() (status int) {
		fmt.Fprintf(page, "GET /%s/ HTTP/1.1\r\nHost: %s\r\n\r\n", strings.Split(address, "/")[3], host)
		_ = page.SetReadDeadline(time.Now().Add(20 * time.Second))
		answer, err := http.ReadResponse(bufio.NewReader(page), nil)
		must.Do(t, err)
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, answer.Body)
		return answer.StatusCode
	}
	if status := get(); status != 200 {
		t.Fatalf("the page: %d", status)
	}
	for range 2 * o.mostGuests { // who has left takes no room
		c, err := net.Dial("tcp", host)
		must.Do(t, err)
		fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		_, _ = io.Copy(io.Discard, c)
		c.Close()
	}
	if status, _, _ := ask(t, "GET", address, ""); status != 200 {
		t.Errorf("a page after others have left: %d", status)
	}
	for i := range 2 * o.mostGuests {
		c, err := net.Dial("tcp", host)
		must.Do(t, err)
		defer c.Close()
		if i%2 == 0 {
			fmt.Fprintf(c, "GET / HTTP/1.1\r\nX:")
		}
	}
	if status, _, _ := ask(t, "GET", address, ""); status != 200 {
		t.Errorf("a new page: %d", status)
	}
	if status := get(); status != 200 {
		t.Errorf("the open page: %d", status)
	}
}
