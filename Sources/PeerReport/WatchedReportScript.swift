// The script and the style of a page that is kept up to date: it loads itself again, and says if it is old.

enum WatchedReportScript {
    /// The digest of the text for the content security policy; a test computes it.
    static let hash = "sha256-z/sseflwFaghSfC8AMylFhRFxbTGEFd9gFLQG+XUPdw="

    /// The text of the script element, after the report's.
    static let text = #"""
        'use strict';
        {
          const { written, ended } = document.body.dataset;
          const [filter, changed, stale] =
            ['filter', 'changed', 'stale'].map(id => document.getElementById(id));
          const select = document.querySelector('.zoom select');
          const key = `peerlist ${location.pathname}`;
          // Where the browser keeps nothing, the view is lost, and the age counts from the last loading.
          const load = () => {
            try { return JSON.parse(sessionStorage.getItem(key)) ?? {}; } catch { return {}; }
          };
          const save = state => {
            try { sessionStorage.setItem(key, JSON.stringify(state)); } catch { }
          };

          // The filter also finds devices in the table of those that are there.
          const rows = [...document.querySelectorAll('#now tbody tr')];
          filter?.addEventListener('input', () => {
            const words = filter.value.toLowerCase().split(/\s+/);
            for (const row of rows) {
              const text = row.textContent.toLowerCase();
              row.hidden = !words.every(word => text.includes(word));
            }
          });

          // The view before the page was loaded again.
          const state = load();
          const seen = state.written === written ? state.seen : Date.now();
          const { view } = state;
          if (view) {
            if (filter && view.filter) {
              filter.value = view.filter;
              filter.dispatchEvent(new Event('input'));
            }
            const day = [...select?.options ?? []].findIndex(option => option.text === view.day);
            if (day > 0) {
              select.selectedIndex = day;
              select.dispatchEvent(new Event('change'));
            }
            if (changed) changed.checked = view.changed;
            document.getElementById(view.focus)?.focus({ preventScroll: true });
            scrollTo(...view.scroll);
          }
          save({ written, seen });

          // Half a minute, unless somebody uses the page or does not see it; a page that cannot be loaded stays.
          let used = 0;
          for (const name of ['pointerdown', 'keydown', 'wheel', 'touchmove']) {
            addEventListener(name, () => { used = Date.now(); }, { passive: true });
          }
          const reload = () => {
            save({ written, seen, view: {
              filter: filter?.value, day: select?.selectedOptions[0]?.text, changed: changed?.checked,
              focus: document.activeElement?.id, scroll: [scrollX, scrollY] } });
            location.reload();
          };
          const refresh = async () => {
            if (document.hidden || Date.now() - used < 15000) return;
            try {
              const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
              if (answer.ok) reload();
            } catch {
              if (location.protocol === 'file:') reload();
            }
          };
          const checkAge = () => { stale.hidden = ended || Date.now() - seen < 180000; };
          checkAge();
          setInterval(checkAge, 10000);
          setInterval(refresh, 30000);
          document.addEventListener('visibilitychange', refresh);
        }
        """#
}

enum WatchedReportStyle {
    /// The digest of the text for the content security policy; a test computes it.
    static let hash = "sha256-Qha2YUm7amG9E1rR3z9bLNz5kVP5Xu1tS4bS5SbsOA4="

    /// The text of the style element, after the report's.
    static let text = """
        #now, #faults { margin-top: 1.5rem; }
        #now h2, #faults h2 { margin-top: 0; }
        #faults h2 { color: var(--departure); }
        .state { white-space: nowrap; }
        .state::before {
          content: ""; display: inline-block; width: 0.6rem; height: 0.6rem; margin-right: 0.4rem;
          border-radius: 50%; background: var(--track); border: 1px solid var(--faint);
        }
        .state.present::before { background: var(--present); border-color: var(--present); }
        .state.unanswered::before { background: var(--unanswered); border-color: var(--unanswered); }
        #stale { padding-left: 0.75rem; font-weight: 600; }
        @media (min-width: 40.01rem) { #now tbody th { width: 17rem; } }
        """
}
