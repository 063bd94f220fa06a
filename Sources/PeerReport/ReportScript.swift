// The script of reports: zoom, filter and sorting.

enum ReportScript {
    /// The digest of the text for the content security policy; a test computes it.
    static let hash = "sha256-mmewIa8EdrbSr3AMPez9sq3I9Ia/fEAXV2M0OAwiiFs="

    /// The text of the script element.
    static let text = #"""
        'use strict';
        {
          const all = (selector, root = document) => [...root.querySelectorAll(selector)];

          // Sorting: a button in the heading of each column.
          const collator = new Intl.Collator(undefined, { numeric: true });
          const key = cell => {
            const data = cell.querySelector('data');
            return data ? Number(data.value) : cell.textContent;
          };
          const compare = (left, right) => typeof left === 'number' && typeof right === 'number'
            ? left - right : collator.compare(left, right);
          const sort = (table, head) => {
            const isNumber = head.classList.contains('number');
            const order = head.getAttribute('aria-sort');
            const isDown = order ? order === 'ascending' : isNumber;
            for (const other of all('thead th', table)) other.removeAttribute('aria-sort');
            head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
            const body = table.tBodies[0];
            const keyed = [...body.rows].map(row => [key(row.cells[head.cellIndex]), row]);
            keyed.sort(([left], [right]) => isDown ? compare(right, left) : compare(left, right));
            body.append(...keyed.map(([, row]) => row));
          };
          for (const table of all('table.sortable')) {
            for (const head of table.tHead.rows[0].cells) {
              if (head.classList.contains('axis')) continue;
              const button = document.createElement('button');
              button.type = 'button';
              button.append(...head.childNodes);
              head.append(button);
              button.addEventListener('click', () => sort(table, head));
            }
          }

          // The filter: a device is found by the text of its rows in all tables.
          const filter = document.getElementById('filter');
          const rows = all('tr[data-device]');
          const texts = new Map();
          for (const row of rows) {
            const id = row.dataset.device;
            texts.set(id, `${texts.get(id) ?? ''} ${row.textContent.toLowerCase()}`);
          }
          filter.addEventListener('input', () => {
            const words = filter.value.toLowerCase().split(/\s+/);
            const found = new Set();
            for (const [id, text] of texts) {
              if (words.every(word => text.includes(word))) found.add(id);
            }
            for (const row of rows) row.hidden = !found.has(row.dataset.device);
            document.querySelector('output').textContent =
              filter.value.trim() ? `${found.size} of ${texts.size}` : '';
          });

          // The time line: an axis, the time below the pointer, and the zoom by day.
          const timeline = document.querySelector('.timeline');
          if (timeline) {
            const start = Number(timeline.dataset.start);
            const length = Number(timeline.dataset.length);
            const zones = timeline.dataset.zones.split(' ')
              .map(zone => zone.split(':').map(Number));
            const offset = time => (zones.findLast(zone => zone[0] <= time) ?? zones[0])[1];
            const local = time => new Date((start + time + offset(time)) * 1000);
            const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
            const day = time => {
              const date = local(time);
              return `${names[date.getUTCDay()]} ${date.toISOString().slice(5, 10)}`;
            };
            const clock = time => local(time).toISOString().slice(11, 16);

            const axis = document.querySelector('.axis div');
            const here = document.createElement('span');
            here.className = 'here';
            here.setAttribute('aria-hidden', 'true');
            let [from, to] = [0, length];

            const steps = [60, 300, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800,
              604800];
            const drawAxis = () => {
              const width = axis.clientWidth;
              const most = Math.max(1, width / 75);
              let step = steps.find(step => (to - from) / step <= most) ?? 1209600;
              while ((to - from) / step > most) step *= 2;
              const shift = start + offset(from);
              const ticks = [];
              let next = Math.ceil((shift + from) / step) * step;
              for (; ticks.length < 100; next += step) {
                // The local time is the same number of seconds, also after the offset changes.
                const guess = next - shift;
                const time = guess + offset(from) - offset(guess);
                if (time >= to) break;
                const left = (time - from) / (to - from) * width;
                const isDay = clock(time) === '00:00';
                if (left > width - (isDay ? 75 : 40)) break;
                const tick = document.createElement('span');
                tick.className = 'tick';
                tick.textContent = isDay ? day(time) : clock(time);
                tick.style.left = `${left}px`;
                ticks.push(tick);
              }
              axis.replaceChildren(...ticks);
            };
            const show = (newFrom, newTo) => {
              [from, to] = [newFrom, newTo];
              for (const bar of all('.bar', timeline)) {
                const height = bar.viewBox.baseVal.height;
                bar.setAttribute('viewBox', `${from} 0 ${Math.max(1, to - from)} ${height}`);
              }
              drawAxis();
            };
            new ResizeObserver(drawAxis).observe(axis);

            const timeAt = event => {
              const box = axis.getBoundingClientRect();
              const part = (event.clientX - box.left) / box.width;
              return part >= 0 && part < 1 ? from + part * (to - from) : undefined;
            };
            timeline.addEventListener('pointermove', event => {
              const time = timeAt(event);
              if (time === undefined) return here.remove();
              here.textContent = `${day(time)} ${clock(time)}`;
              axis.append(here);
              const box = axis.getBoundingClientRect();
              here.style.left =
                `${Math.min(event.clientX - box.left, box.width - here.offsetWidth)}px`;
            });
            timeline.addEventListener('pointerleave', () => here.remove());

            const zoom = document.querySelector('.zoom');
            if (zoom) {
              const [back, forth] = all('button', zoom);
              const select = zoom.querySelector('select');
              const choose = index => {
                select.selectedIndex = index;
                back.disabled = index <= 1;
                forth.disabled = index === select.options.length - 1;
                show(...select.value.split(' ').map(Number));
              };
              select.addEventListener('change', () => choose(select.selectedIndex));
              back.addEventListener('click', () => choose(select.selectedIndex - 1));
              forth.addEventListener('click', () => choose(select.selectedIndex + 1));
              for (const bar of all('.bar', timeline)) {
                bar.addEventListener('click', event => {
                  const time = timeAt(event);
                  const index = [...select.options].findIndex((option, index) => {
                    const [first, last] = option.value.split(' ').map(Number);
                    return index > 0 && first <= time && time < last;
                  });
                  choose(select.selectedIndex > 0 || index < 0 ? 0 : index);
                });
              }
              choose(0);
              zoom.hidden = false;
            } else {
              drawAxis();
            }
          }

          document.querySelector('.filter').hidden = texts.size < 2;
          document.documentElement.classList.add('enhanced');
        }
        """#
}
