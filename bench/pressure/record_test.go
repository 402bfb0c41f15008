//go:build faults && linux

package pressure

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
)

// A journal is what the call log holds.
type journal struct {
	bytes   int64
	records map[string]int // by type
	counted map[string]int // what they stand for, by type
}

// A record is one line of it.
type record struct {
	Type string `json:"type"`
	N    int    `json:"n"`
}

func readJournal(dir string) (journal, error) {
	j := journal{records: map[string]int{}, counted: map[string]int{}}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	if err != nil {
		return j, err
	}
	for _, name := range files {
		if err := j.read(name); err != nil {
			return j, err
		}
	}
	return j, nil
}

func (j *journal) read(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16*mib)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return err
		}
		j.bytes += int64(len(lines.Bytes())) + 1
		j.records[r.Type]++
		j.counted[r.Type] += max(1, r.N)
	}
	return lines.Err()
}
