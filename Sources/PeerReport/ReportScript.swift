// The script of reports: the time line, its zoom, tables by day and hour, the filter and sorting.

enum ReportScript {
    /// The digest of the text for the content security policy; a test computes it.
    static let hash = "sha256-kS0EC2y18yAPtXtzFC4VVEvVT6B7k2vmYFitxbX3hCM="

    /// The text of the script element.
    static let text = #"""
        'use strict';
        {
          const report = JSON.parse(document.getElementById('report').textContent);
          const { start, length, zones, gaps, changes } = report;
          const main = document.querySelector('main');

          // Elements; texts of others come only as copies of cells of the plain table of devices.
          const maker = space => (tag, attributes = {}, ...content) => {
            const element = document.createElementNS(space, tag);
            for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
            element.append(...content);
            return element;
          };
          const html = maker('http://www.w3.org/1999/xhtml');
          const svg = maker('http://www.w3.org/2000/svg');
          const plain = main.querySelector('#devices table');
          const plainColumns = Object.fromEntries(
            [...plain.rows[0].cells].map((cell, index) => [cell.textContent, index]));
          const plainRows = [...plain.querySelectorAll('tbody tr:not(.group)')];
          const copy = (row, title) => row.cells[plainColumns[title]].cloneNode(true);
          const devices = report.devices.map((device, index) => {
            const source = plainRows[index];
            return { ...device, source, text: source.textContent.toLowerCase(), rows: [] };
          });

          // Times are seconds since the start, local times seconds since 1970-01-01 in local time.
          const offset = time => (zones.findLast(([from]) => from <= time) ?? zones[0])[1];
          const toLocal = time => start + time + offset(time);
          const fromLocal = local => {
            const guess = local - start - offset(local - start);
            return local - start - offset(guess);
          };
          const iso = local => new Date(local * 1000).toISOString();
          const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
          const dayName = local =>
            `${weekdays[new Date(local * 1000).getUTCDay()]} ${iso(local).slice(5, 10)}`;
          const clock = local => iso(local).slice(11, 16);

          // The latest days of which something is recorded, with the arrivals and departures of each hour.
          const days = [];
          const dayNumber = time => Math.floor(toLocal(time) / 86400);
          for (let day = dayNumber(length); day >= dayNumber(0) && days.length < 400; day--) {
            const [from, to] = [fromLocal(day * 86400), fromLocal((day + 1) * 86400)];
            if (gaps.some(gap => gap[0] < from && to < gap[1])) continue;
            // The last one is the sum.
            const hours = Array.from({ length: 25 }, () => [0, 0]);
            days.unshift({ from, to, name: dayName(day * 86400), hours });
          }
          const month = days.slice(-31);
          for (const [time, arrivals, departures] of changes) {
            const hours = days.find(day => day.from <= time && time < day.to)?.hours ?? [];
            for (const hour of [hours[Math.floor(toLocal(time) / 3600) % 24], hours[24]]) {
              if (hour) [hour[0], hour[1]] = [hour[0] + arrivals, hour[1] + departures];
            }
          }

          // Tables, which a click on the heading of a column sorts.
          const collator = new Intl.Collator(undefined, { numeric: true });
          const sort = (table, head) => {
            const order = head.getAttribute('aria-sort');
            const isDown = order ? order === 'ascending' : head.className === 'number';
            for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
            head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
            for (const body of table.tBodies) {
              const keyed = [...body.querySelectorAll('tr:not(.group)')].map(row => {
                const cell = row.cells[head.cellIndex];
                return [cell.querySelector('data')?.value ?? cell.textContent, row];
              });
              keyed.sort(([left], [right]) => (isDown ? -1 : 1) * collator.compare(left, right));
              body.append(...keyed.map(([, row]) => row));
            }
          };
          const makeSortable = table => {
            for (const head of table.rows[0].cells) {
              if (head.className === 'axis') continue;
              const button = html('button', { type: 'button' }, ...head.childNodes);
              button.addEventListener('click', () => sort(table, head));
              head.append(button);
            }
            return table;
          };
          const table = (heads, rows) => makeSortable(html('table', {},
            html('thead', {}, html('tr', {}, ...heads)), ...parts(rows, heads.length)));
          // What neither came nor went is behind a heading.
          const parts = (rows, width) => {
            const index = rows.findIndex(row => row.dataset.steady);
            if (index < 1) return [html('tbody', {}, ...rows)];
            return [html('tbody', {}, ...rows.slice(0, index)), html('tbody', { class: 'steady' },
              html('tr', { class: 'group' }, html('th', { scope: 'rowgroup', colspan: width },
                `Neither came nor went (${rows.length - index})`)), ...rows.slice(index))];
          };
          const head = title => html('th', { scope: 'col' }, title);
          const row = (device, ...cells) => {
            const row = html('tr', {}, ...cells);
            if (device.source.closest('.steady')) row.dataset.steady = 'true';
            device.rows.push(row);
            return row;
          };
          const section = (id, title, remarks, ...content) =>
            html('section', { id, 'aria-label': title }, html('h2', {}, title),
              ...remarks.filter(text => text).map(text => html('p', { class: 'remark' }, text)),
              ...content);
          const scrolled = (label, table) =>
            html('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': label }, table);
          const list = (id, title, empty, remarks, columns, devices) => devices.length
            ? section(id, title, remarks, scrolled(title, table(
              columns.map(title => copy(plain.rows[0], title)), devices.map(device =>
                row(device, ...columns.map(title => copy(device.source, title)))))))
            : section(id, title, [], html('p', {}, empty));

          // The time line.
          const shape = (name, intervals, top = 0, height = 10) => svg('path', {
            class: name, d: intervals.map(([from, to]) =>
              `M${from} ${top}h${Math.max(1, to - from)}v${height}H${from}z`).join('') });
          const bar = (height, label, ...content) => svg('svg', {
            class: 'bar', viewBox: `0 0 ${length} ${height}`, preserveAspectRatio: 'none', role: 'img',
            'aria-label': label }, ...content);
          const marks = { present: [0, 10], unanswered: [5, 5], unknown: [4, 3], gap: [0, 10] };
          const axis = html('div');
          const timeline = table(
            [head('Device'), html('th', { scope: 'col', class: 'axis' }, axis),
              ...['Present', 'Arrivals'].map(title => copy(plain.rows[0], title))],
            devices.map(device => {
              const present = copy(device.source, 'Present');
              const shapes = ['present', 'unanswered', 'unknown']
                .map(name => shape(name, device[name], ...marks[name]));
              return row(device, copy(device.source, 'Device'), html('td', { class: 'axis' },
                bar(10, `present ${present.textContent} of the time`, svg('use', { href: '#back' }),
                  ...shapes)), present, copy(device.source, 'Arrivals'));
            }));
          timeline.className = 'timeline';
          // Behind every bar are the gaps, and the midnights or, of many days, the first days of months.
          const lines = days.filter(day => days.length <= 62 || day.name.endsWith('-01'))
            .map(day => `M${day.from} 0v10`);
          const back = svg('svg', { class: 'defs', 'aria-hidden': 'true' }, svg('g', { id: 'back' },
            shape('gap', gaps), svg('path', { class: 'midnight', d: lines.join('') })));
          const titles = ['present', 'did not answer', 'not known', 'not recorded'];
          const legend = Object.entries(marks).map(([name, mark], index) => html('span', {},
            svg('svg', { viewBox: '0 0 20 10', 'aria-hidden': 'true' }, shape(name, [[1, 19]], ...mark)),
            ` ${titles[index]}`));

          // Arrivals upwards and departures downwards, per hour, or per day of many days. Fewer than three hours
          // would be a block or two.
          const [unit, width, columns] = days.length <= 31 ? ['hour', 3600, changes]
            : ['day', 86400, days.map(({ from, hours }) => [from, ...hours[24]])];
          if (changes.length && length > 7200) {
            const most = Math.max(...columns.flatMap(([, ...counts]) => counts));
            const bars = (name, index, sign) => svg('path', {
              class: name, d: columns.filter(column => column[index]).map(column => {
                const height = sign * Math.max(2, Math.floor(column[index] * 48 / most));
                return `M${column[0]} 50h${width}v${height}h-${width}z`;
              }).join('') });
            timeline.tHead.append(html('tr', { class: 'chart' },
              html('th', { scope: 'row' }, html('span', { class: 'arrivals' }, '↑ arrivals'), ' ',
                html('span', { class: 'departures' }, '↓ departures'), ' ',
                html('small', {}, `per ${unit}, at most ${most}`)),
              html('td', { class: 'axis' }, bar(100, `arrivals and departures per ${unit}`,
                svg('path', { class: 'middle', d: `M0 50h${length}` }),
                bars('arrivals', 1, -1), bars('departures', 2, 1))), html('td'), html('td')));
          }

          // The axis has the local times that are multiples of a step of seconds or of months.
          // Weeks begin on Monday.
          const seconds = step => {
            const phase = step >= 604800 ? 345600 : 0;
            return [step, local => Math.ceil((local - phase) / step), count => count * step + phase];
          };
          const monthNames =
            ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
          const monthName = local => {
            const month = new Date(local * 1000).getUTCMonth();
            return month ? monthNames[month] : iso(local).slice(0, 4);
          };
          const months = step => [step * 2629746, local => {
            const date = new Date((local - 1) * 1000);
            const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
            return Math.floor(month / step) + 1;
          }, count => Date.UTC(1970, count * step) / 1000];
          const steps = [60, 300, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800,
            1209600]
            .map(seconds).concat([1, 2, 3, 6, 12, 60, 120, 1200].map(months));
          let [from, to] = [0, length];
          const drawAxis = () => {
            const width = axis.clientWidth;
            const isRoomy = ([step]) =>
              (to - from) / step <= Math.max(1, width / (step > 1209600 ? 45 : 75));
            const [step, first, local] = steps.find(isRoomy) ?? steps.at(-1);
            const label = step > 1209600 ? monthName
              : local => clock(local) === '00:00' ? dayName(local) : clock(local);
            axis.replaceChildren();
            for (let count = first(toLocal(from)); ; count++) {
              const left = (fromLocal(local(count)) - from) / (to - from) * width;
              const text = label(local(count));
              if (!(left <= width - (text.length > 5 ? 75 : 40))) break;
              const tick = html('span', { class: 'tick' }, text);
              tick.style.left = `${left}px`;
              axis.append(tick);
            }
          };
          new ResizeObserver(drawAxis).observe(axis);

          // The time below the pointer.
          const here = html('span', { class: 'here', 'aria-hidden': 'true' });
          const timeAt = event => {
            const box = axis.getBoundingClientRect();
            const part = (event.clientX - box.left) / box.width;
            return part >= 0 && part < 1 ? from + part * (to - from) : undefined;
          };
          timeline.addEventListener('pointermove', event => {
            const time = timeAt(event);
            if (time === undefined) return here.remove();
            here.textContent = `${dayName(toLocal(time))} ${clock(toLocal(time))}`;
            axis.append(here);
            const { left, width } = axis.getBoundingClientRect();
            here.style.left = `${Math.min(event.clientX - left, width - here.offsetWidth)}px`;
          });
          timeline.addEventListener('pointerleave', () => here.remove());

          // The zoom: all days, or one.
          const ranges =
            [[0, length], ...days.map(day => [Math.max(0, day.from), Math.min(length, day.to)])];
          const select = html('select', { 'aria-label': 'Day' },
            ...['All days', ...days.map(day => day.name)].map(title => html('option', {}, title)));
          const [earlier, later] = [['←', 'before', -1], ['→', 'after', 1]].map(([sign, side, step]) => {
            const button = html('button', { type: 'button', 'aria-label': `The day ${side}` }, sign);
            button.addEventListener('click', () => choose(select.selectedIndex + step));
            return button;
          });
          const choose = index => {
            select.selectedIndex = index;
            earlier.disabled = index <= 1;
            later.disabled = index === days.length;
            [from, to] = ranges[index];
            for (const bar of timeline.querySelectorAll('.bar')) {
              const height = bar.viewBox.baseVal.height;
              bar.setAttribute('viewBox', `${from} 0 ${Math.max(1, to - from)} ${height}`);
            }
            drawAxis();
          };
          select.addEventListener('change', () => choose(select.selectedIndex));
          timeline.addEventListener('click', event => {
            const time = event.target.closest('.bar') ? timeAt(event) : undefined;
            if (time === undefined || days.length < 2) return;
            const index = days.findIndex(day => day.from <= time && time < day.to) + 1;
            choose(select.selectedIndex > 0 ? 0 : index);
          });
          const zoom = html('div', { class: 'zoom', role: 'group', 'aria-label': 'Zoom by day' },
            earlier, select, later);

          // The filter finds devices by their texts, in all tables.
          const filter = html('input', { type: 'search', id: 'filter', autocomplete: 'off',
            placeholder: 'name, kind, host, address' });
          const output = html('output', { for: 'filter' });
          filter.addEventListener('input', () => {
            const words = filter.value.toLowerCase().split(/\s+/);
            const found = devices.filter(({ text }) => words.every(word => text.includes(word)));
            for (const device of devices) {
              for (const row of device.rows) row.hidden = !found.includes(device);
            }
            output.textContent = filter.value.trim() ? `${found.length} of ${devices.length}` : '';
          });
          if (devices.length > 1) {
            document.querySelector('header').append(html('p', { class: 'filter' },
              html('label', {}, 'Filter devices ', filter), ' ', output));
          }

          // The sections.
          const omission = (count, all, noun) => count < all && `Shown are ${count} of ${all} ${noun}.`;
          const omittedDays = omission(month.length, days.length, 'days, the latest');
          const omittedDevices = main.querySelector('#devices .remark')?.textContent;
          const [newcomers, silent] =
            [report.newcomers, report.silent].map(list => list.map(index => devices[index]));
          const span = (present, day) => {
            const parts = present.filter(([from, to]) => from < day.to && day.from < to);
            if (!parts.length) return [];
            const [from, to] = [parts[0][0], parts.at(-1)[1]];
            const first = from <= day.from ? '00:00' : clock(toLocal(from));
            const last = to >= day.to ? '24:00' : clock(toLocal(to));
            return [`${first}–${last} `, ...parts.length > 1 ? [html('small', {}, `×${parts.length}`)] : []];
          };
          const dayTable = table([head('Device'), ...month.map(day => head(day.name))],
            devices.map(device => row(device, copy(device.source, 'Device'),
              ...month.map(day => html('td', {}, ...span(device.present, day))))));
          const hour = ([arrivals, departures]) => html('td', {},
            ...arrivals ? [html('ins', {}, `+${arrivals}`)] : [],
            ...departures ? [html('del', {}, `−${departures}`)] : []);
          const hours = Array.from({ length: 24 }, (_, hour) => head(String(hour).padStart(2, '0')));
          const hourTable = table([head('Day'), ...hours, head('All')], month.map(day =>
            html('tr', {}, html('th', { scope: 'row' }, day.name), ...day.hours.map(hour))));
          for (const id of ['changes', 'devices']) main.querySelector(`#${id}`).remove();
          main.prepend(
            section('when', 'Who was there when', [omittedDevices,
              report.pause && `Pauses of up to ${report.pause} are not drawn.`,
              gaps.length < report.gapCount && 'The shortest gaps are not drawn.'],
            ...days.length > 1 ? [zoom] : [], html('p', { class: 'legend' }, ...legend), back, timeline),
            section('days', 'First and last seen each day',
              ['×3: in three parts, with pauses.', omittedDevices, omittedDays], scrolled('Days', dayTable)),
            section('changes', 'Arrivals and departures per hour', changes.length
              ? ['+ arrivals, − departures, in the hour that begins at the full hour.', omittedDays]
              : ['Nothing arrived or left.'], ...changes.length ? [scrolled('Hours', hourTable)] : []),
            list('newcomers', 'Newcomers', 'No device was seen for the first time ever.'
              + ' Recordings made with --no-ledger do not tell.',
              [omission(newcomers.length, report.newcomerCount, 'newcomers, the latest')],
              ['Device', 'First seen ever', 'Host', 'Addresses', 'Services'], newcomers),
            list('silent', 'Fell silent', 'Every device answered whenever it was asked.',
              ['Announced, but did not answer when asked; most often first.',
                omission(silent.length, report.silentCount, 'devices')],
              ['Device', 'Times silent', 'Silent in all', 'Longest', 'Last silence'], silent));
          for (const id of ['newcomers', 'silent']) {
            document.querySelectorAll('.figures a')[id === 'silent' ? 4 : 3].href = `#${id}`;
          }
          main.querySelectorAll('#kinds table, #services table').forEach(makeSortable);
          main.append(list('devices', 'Devices', '', [omittedDevices],
            ['Device', 'Host', 'Addresses', 'From', 'Until', 'Identifier'], devices));
          choose(0);
        }
        """#
}
