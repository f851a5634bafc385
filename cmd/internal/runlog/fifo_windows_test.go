package runlog

import "errors"

func fifo(string) error { return errors.ErrUnsupported }
