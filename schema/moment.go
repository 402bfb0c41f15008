package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

const clock = `(?:(?:t|\s+at\s+|,?\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(am|pm)?\s*(z|utc|gmt|[+-]\d{2}:?\d{2})?)?$`

var (
	onlyDigits = lazily(`^(\d{4})(\d{2})(\d{2})` + clock)
	yearFirst  = lazily(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})` + clock)
	yearLast   = lazily(`^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})` + clock)
	dayMonth   = lazily(`^(\d{1,2})(?:st|nd|rd|th)?\.?[\s-]+(?:of\s+)?([a-z]{3,9})\.?,?[\s-]+(\d{4})` + clock)
	monthDay   = lazily(`^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})` + clock)
	onlyClock  = lazily(`^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s*(am|pm)?$`)
	weekday    = lazily(`^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+`)
	monthNames = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}
)

// moments returns the ways to write the date that a text is, with its time of day
// if it has one; none if the order of day and month is not certain. A time without
// a zone is taken as UTC.
func moments(text string) []string {
	t := strings.ToLower(strings.TrimSpace(text))
	if len(t) > 60 {
		return nil
	}
	t = weekday().ReplaceAllString(t, "")
	var year, month, day string
	var rest []string
	switch {
	case onlyDigits().MatchString(t), yearFirst().MatchString(t):
		m := onlyDigits().FindStringSubmatch(t)
		if m == nil {
			m = yearFirst().FindStringSubmatch(t)
		}
		year, month, day, rest = m[1], m[2], m[3], m[4:]
	case yearLast().MatchString(t):
		m := yearLast().FindStringSubmatch(t)
		day, month, year, rest = m[1], m[3], m[4], m[5:]
		if over12(month) {
			day, month = month, day
		} else if !over12(day) && day != month {
			return nil
		}
	case dayMonth().MatchString(t):
		m := dayMonth().FindStringSubmatch(t)
		day, month, year, rest = m[1], monthOf(m[2]), m[3], m[4:]
	case monthDay().MatchString(t):
		m := monthDay().FindStringSubmatch(t)
		month, day, year, rest = monthOf(m[1]), m[2], m[3], m[4:]
	default:
		return times(t)
	}
	return dated(year, month, day, rest)
}

func over12(n string) bool { return len(n) == 2 && n > "12" }

// monthOf returns the number of a month.
func monthOf(name string) string {
	for i, month := range monthNames {
		if strings.HasPrefix(month, name) || name == "sept" && i == 8 {
			return fmt.Sprint(i + 1)
		}
	}
	return "0"
}

func dated(year, month, day string, rest []string) []string {
	date, err := time.Parse("2006-1-2", year+"-"+month+"-"+day)
	if err != nil {
		return nil
	}
	text := date.Format(time.DateOnly)
	if rest[0] == "" {
		return []string{text, text + "T00:00:00Z", text + "T00:00:00"}
	}
	hour, ok := hours(rest[0], rest[1], rest[2], rest[3])
	if !ok {
		return nil
	}
	zone := strings.ToUpper(rest[4])
	switch {
	case zone == "" || zone == "UTC" || zone == "GMT":
		zone = "Z"
	case len(zone) == 5:
		zone = zone[:3] + ":" + zone[3:]
	}
	return []string{text + "T" + hour + zone, text + "T" + hour, text}
}

// epoch returns the moment that a number of seconds or milliseconds since 1970 is,
// if that lies between 2001 and 2286.
func epoch(n json.Number) string {
	i, ok := small(n)
	switch {
	case !ok:
	case len(n) == 10:
		return time.Unix(i, 0).UTC().Format(time.RFC3339)
	case len(n) == 13:
		return time.UnixMilli(i).UTC().Format(time.RFC3339)
	}
	return ""
}

// times returns the ways to write a time of day.
func times(t string) []string {
	m := onlyClock().FindStringSubmatch(t)
	if m == nil || m[2] == "" && m[4] == "" {
		return nil
	}
	hour, ok := hours(m[1], m[2], m[3], m[4])
	if !ok {
		return nil
	}
	return []string{hour, hour + "Z", hour[:5]}
}

func hours(hour, minute, second, half string) (string, bool) {
	if minute == "" {
		minute = "00"
	}
	if second == "" {
		second = "00"
	}
	layout := "15:04:05"
	text := hour + ":" + minute + ":" + second
	if half != "" {
		layout, text = "3:04:05PM", text+strings.ToUpper(half)
	} else if len(hour) == 1 {
		text = "0" + text
	}
	t, err := time.Parse(layout, text)
	return t.Format(time.TimeOnly), err == nil
}
