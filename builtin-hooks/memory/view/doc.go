// Package view writes what is remembered as one HTML page for people: a
// timeline, facts by what they are about, sessions, and a search in the page.
//
// The page is a single file that asks nobody for anything: its style and its
// script lie in it, and its content security policy allows just these two, by
// their hashes, and nothing else; no request leaves it. What is remembered lies
// in it as data, which the script shows as text and never as markup: a fact
// that says </script> is shown as that.
//
// It shows what holds and, on request, what a later fact stands for. What was
// deleted is not in it.
package view
