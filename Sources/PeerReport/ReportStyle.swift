// The style of reports.

enum ReportStyle {
    /// The digest of the text for the content security policy; a test computes it.
    static let hash = "sha256-2vDb6w9tJz77UQVyoHYqqjhvYJIQ5YYQv7UpUh93J2o="

    /// The text of the style element.
    static let text = """
        :root {
          color-scheme: light dark;
          --page: #fafaf8; --text: #1d2126; --faint: #5a636d; --line: #dcdfe2; --track: #eceeef;
          --present: #2d7f8f; --unanswered: #c96a00; --unknown: #56606a; --gap: #808991;
          --arrival: #23713f; --departure: #a33c31; --accent: #1f5f9e;
        }
        @media screen and (prefers-color-scheme: dark) {
          :root {
            --page: #15181b; --text: #e3e6e9; --faint: #9ba5ae; --line: #2e3439; --track: #22272b;
            --present: #4aa9ba; --unanswered: #f0a040; --unknown: #b3bcc4; --gap: #6f7982;
            --arrival: #6cc48a; --departure: #ee8a7e; --accent: #7fb4ea;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; padding: 1.5rem 1.25rem; max-width: 84rem;
          background: var(--page); color: var(--text);
          font: 0.9rem/1.4 system-ui, sans-serif; font-variant-numeric: tabular-nums;
          overflow-wrap: anywhere;
        }
        h1 { margin: 0; font-size: 1.5rem; font-weight: 600; }
        h2 { margin: 2.5rem 0 0.5rem; font-size: 1.1rem; font-weight: 600; }
        p { margin: 0.25rem 0; }
        header > p, .remark, footer, small, .legend { color: var(--faint); }
        small { display: block; font-size: 0.78rem; font-weight: 400; }
        td small { display: inline; }
        footer { margin-top: 3rem; font-size: 0.8rem; }
        .remark, .legend { font-size: 0.82rem; }
        .remarks {
          margin: 0.75rem 0; padding: 0.5rem 0.75rem 0.5rem 1.75rem;
          border-left: 3px solid var(--unanswered); background: var(--track);
        }
        .figures { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 1rem 0; }
        .figures div { display: flex; flex-direction: column-reverse; }
        .figures dt { color: var(--faint); font-size: 0.8rem; }
        .figures dd { margin: 0; font-size: 1.5rem; line-height: 1.2; }
        .figures a { color: var(--accent); }
        .choice input { width: auto; margin-left: 0; accent-color: var(--accent); }
        .group th { padding-top: 0.8rem; color: var(--faint); font-size: 0.82rem; }
        :root:has(#changed:checked) .steady,
        .steady:not(:has(tr:not(.group, [hidden]))) { display: none; }
        [hidden] { display: none !important; }

        input, select, button { font: inherit; color: inherit; }
        input, select, .zoom button {
          padding: 0.25rem 0.5rem; border: 1px solid var(--faint); border-radius: 4px;
          background: var(--page);
        }
        input { width: 16rem; max-width: 100%; }
        button { cursor: pointer; }
        button:disabled { opacity: 0.4; cursor: default; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
        .zoom { display: flex; gap: 0.25rem; margin: 0.5rem 0; }
        output { color: var(--faint); }

        table { border-collapse: collapse; width: 100%; }
        th, td {
          padding: 0.2rem 0.6rem 0.2rem 0; border-bottom: 1px solid var(--line);
          text-align: start; vertical-align: baseline;
        }
        thead th { color: var(--faint); font-size: 0.8rem; font-weight: 600; }
        tbody th { font-weight: 500; min-width: 9rem; }
        .number { text-align: end; white-space: nowrap; }
        code { font-size: 0.78rem; }
        td code { white-space: nowrap; }
        .scroll { overflow-x: auto; }
        .scroll td:not(.number) { min-width: 8rem; }
        .scroll .number { padding-right: 1.2rem; }
        time { white-space: nowrap; }
        th button {
          padding: 0; border: 0; background: none; color: inherit; font: inherit;
          text-align: inherit;
        }
        th button:hover { color: var(--text); text-decoration: underline; }
        th[aria-sort=ascending] button::after { content: " ↑"; }
        th[aria-sort=descending] button::after { content: " ↓"; }
        #days td, #changes td { font-size: 0.78rem; white-space: nowrap; }
        #days th:first-child, #changes th:first-child {
          position: sticky; left: 0; background: var(--page);
        }
        #days tbody th { min-width: 8rem; max-width: 14rem; }
        #days th small { display: none; }
        #changes tbody th { min-width: 5rem; white-space: nowrap; }
        #changes td, #changes thead th { padding-right: 0.35rem; min-width: 2.1rem; }
        ins, del { display: block; text-decoration: none; line-height: 1.25; }
        ins, .arrivals { color: var(--arrival); fill: var(--arrival); }
        del, .departures { color: var(--departure); fill: var(--departure); }

        .legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
        .legend svg { width: 20px; height: 10px; background: var(--track); }
        .defs { position: absolute; width: 0; height: 0; }
        .timeline { table-layout: fixed; position: relative; }
        .timeline th, .timeline td { vertical-align: middle; }
        .timeline th:first-child { width: 17rem; }
        .timeline .number { width: 5.5rem; padding-right: 0; }
        .timeline thead tr:first-child th {
          position: sticky; top: 0; z-index: 1; background: var(--page);
        }
        .axis { padding-right: 0; }
        .axis div {
          position: relative; display: flex; justify-content: space-between;
          height: 1.2rem; overflow: hidden; white-space: nowrap; font-weight: 400;
        }
        .axis .tick {
          position: absolute; padding-left: 3px; border-left: 1px solid var(--line);
        }
        .axis .here {
          position: absolute; z-index: 2; padding: 0 4px; background: var(--text);
          color: var(--page);
        }
        .bar {
          display: block; width: 100%; height: 1.1rem; background: var(--track); cursor: crosshair;
        }
        .chart .bar { height: 3.5rem; background: none; }
        .chart small { display: inline; margin-left: 0.5rem; }
        path { vector-effect: non-scaling-stroke; }
        .present { fill: var(--present); }
        .unanswered { fill: var(--unanswered); }
        .unknown { fill: var(--unknown); }
        .gap { fill: var(--gap); }
        .bar .present { stroke: var(--present); stroke-width: 1; }
        .bar .unanswered { stroke: var(--unanswered); stroke-width: 1; }
        .bar .arrivals { stroke: var(--arrival); stroke-width: 0.5; }
        .bar .departures { stroke: var(--departure); stroke-width: 0.5; }
        .midnight { stroke: var(--faint); stroke-width: 1; opacity: 0.5; }
        .middle { stroke: var(--line); stroke-width: 1; }

        @media (max-width: 40rem) {
          body { padding: 1rem 0.75rem; }
          .timeline tr { display: grid; grid-template-columns: 1fr auto auto; padding: 0.2rem 0; }
          .timeline tr > * { border: 0; padding: 0.1rem 0; }
          .timeline tr { border-bottom: 1px solid var(--line); }
          .timeline tr > :nth-child(2) { order: 1; grid-column: 1 / -1; min-width: 0; }
          .timeline { display: block; }
          .timeline thead, .timeline tbody { display: contents; }
          .timeline thead tr:first-child {
            position: sticky; top: 0; z-index: 1; background: var(--page);
          }
          .timeline thead tr:first-child th { position: static; }
          .timeline th:first-child { width: auto; }
          .timeline .group { display: block; }
        }
        @media print {
          body { max-width: none; padding: 0; background: none; }
          .filter, .zoom, .choice { display: none; }
          .scroll { overflow: visible; }
          .scroll td:not(.number) { min-width: 0; }
          td code { white-space: normal; }
          h2, .legend, .remark { break-after: avoid; }
          tr, thead { break-inside: avoid; }
          /* Chromium repeats neither buttons nor sticky cells at the top of the next page. */
          th button { display: contents; }
          .timeline thead tr:first-child th, #days th:first-child, #changes th:first-child {
            position: static; background: none;
          }
        }
        """
}
