package replay

import "time"

// days counts those on which something ran.
func (r *Report) days() int {
	days := 0
	for i := range r.Days {
		if r.Days[i].Date != "" {
			days++
		}
	}
	return days
}

// perDay writes so many things a day, "–" where no day is known.
func (r *Report) perDay(n int) string { return r.often(r.PerDay(n)) }

func (r *Report) often(perDay float64) string {
	if r.days() == 0 {
		return "–"
	}
	return Decimal(perDay)
}

// spans joins the days, given in their order, to a chart's bars: days, weeks
// (which begin on Monday), months or years, whichever gives few enough, with
// those in between on which nothing happened. Of more years than there is room
// for, the last ones are told.
func spans(days []Day) (bars []Day, unit markup) {
	for _, u := range [...]struct {
		name  markup
		begin func(time.Time) time.Time
		next  func(time.Time) time.Time
		form  string
	}{
		{"day", func(t time.Time) time.Time { return t }, func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }, time.DateOnly},
		{"week", func(t time.Time) time.Time { return t.AddDate(0, 0, -(int(t.Weekday())+6)%7) }, func(t time.Time) time.Time { return t.AddDate(0, 0, 7) }, time.DateOnly},
		{"month", func(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.Day()) }, func(t time.Time) time.Time { return t.AddDate(0, 1, 0) }, "2006-01"},
		{"year", func(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.YearDay()) }, func(t time.Time) time.Time { return t.AddDate(1, 0, 0) }, "2006"},
	} {
		bars, unit = bars[:0], u.name
		var at time.Time // where the last bar begins
		for i := range days {
			day, err := time.Parse(time.DateOnly, days[i].Date)
			if err != nil {
				continue // no time is known
			}
			begin := u.begin(day)
			for len(bars) > 0 && at.Before(begin) && len(bars) <= pageBars {
				at = u.next(at)
				bars = append(bars, Day{Date: at.Format(u.form)})
			}
			if len(bars) == 0 || at.Before(begin) {
				at = begin
				bars = append(bars, Day{Date: at.Format(u.form)})
			}
			bars[len(bars)-1].add(days[i].Count)
		}
		if len(bars) <= pageBars {
			return bars, unit
		}
	}
	return bars[len(bars)-pageBars:], unit
}
