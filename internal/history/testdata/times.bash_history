#1763930000
git status
#1763930010
for f in *.go; do
  wc -l "$f"
done
#1763930020
git push
