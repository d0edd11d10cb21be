package replay

import "time"

// sum is how many decisions there were.
func (c *Count) sum() int { return c.Allow + c.Ask + c.Block }

// total adds up all days, and counts those with a date on which there was
// something to decide.
func (r *Report) total() (all Count, days int) {
	for i := range r.Days {
		d := &r.Days[i]
		all.Allow += d.Allow
		all.Ask += d.Ask
		all.Block += d.Block
		if d.Date != "" && d.sum() > 0 {
			days++
		}
	}
	return all, days
}

// perDay writes so many things a day, "–" where no day is known.
func perDay(n, days int) string {
	if days == 0 {
		return "–"
	}
	return decimal(float64(n) / float64(days))
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
			b := &bars[len(bars)-1]
			b.Allow += days[i].Allow
			b.Ask += days[i].Ask
			b.Block += days[i].Block
		}
		if len(bars) <= pageBars {
			return bars, unit
		}
	}
	return bars[len(bars)-pageBars:], unit
}
