# The list after the last line:  jq -n -f fold.jq peers.jsonl
#
# Gives the sections with their items, whole. What a reader does with one line is in `fold`.

# A peer or a service with the new values of an update in place of the old ones.
def changed($set; $was):
  reduce ($set | keys_unsorted[]) as $key (.;
    if $key == "services" then
      ($was.services | map(.id)) as $gone
      | .services |= (map(select(.id as $id | $gone | index($id) | not)) + $set.services
                      | sort_by(.type, .name, .id))
    elif $key == "views" then
      ($was.views | map([.site, .observer])) as $gone
      | .views = ((.views // [] | map(select([.site, .observer] as $view | $gone | index([$view]) | not)))
                  + $set.views | sort_by(.site, .observer))
      | if .views == [] then del(.views) else . end
    elif $set[$key] == null and $key != "host" and $key != "port" then del(.[$key])
    else .[$key] = $set[$key] end);

# The list, which is an array of sections, after a line.
def fold($line):
  if $line.type == "begin" then $line.sections
  elif $line.type != "diff" then .
  else
    # First everything that is deleted or moves is taken out ...
    (reduce .[].items[] as $item ({}; .[$item.id] = $item)) as $items
    | ($line.changes | map(select(.op == "delete" or .op == "move").id)) as $taken
    | map(.items |= map(select(.id as $id | $taken | index($id) | not)))
    | (reduce .[] as $section ({}; .[$section.id] = $section)) as $sections
    | ($line.changes | map(select(.op == "delete-section" or .op == "move-section").section)) as $gone
    | map(select(.id as $id | $gone | index($id) | not))
    # ... and then, in the order of the line, everything that comes or moves is put in.
    | reduce $line.changes[] as $change (.;
        if $change.op == "insert-section" then
          .[:$change.at] + [{id: $change.section, items: []}] + .[$change.at:]
        elif $change.op == "move-section" then
          .[:$change.to] + [$sections[$change.section]] + .[$change.to:]
        elif $change.op == "insert" then
          (.[] | select(.id == $change.section).items) |=
            .[:$change.at] + [$change.peer // $change.service] + .[$change.at:]
        elif $change.op == "move" then
          (.[] | select(.id == $change.to.section).items) |=
            .[:$change.to.at] + [$items[$change.id]] + .[$change.to.at:]
        elif $change.op == "update" then
          (.[] | select(.id == $change.section).items[$change.at]) |= changed($change.set; $change.was)
        else . end)
  end;

reduce inputs as $line ([]; fold($line))
