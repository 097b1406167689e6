import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Chooses light, dark or the system's theme; the browser remembers it. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(() => (localStorage.getItem('theme') as Theme | null) ?? 'system');
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem('theme', theme);
  }, [theme]);
  const choose = (event: Event) => setTheme((event.currentTarget as HTMLSelectElement).value as Theme);
  return html`<label class="theme">
    <span class="visually-hidden">Theme</span>
    <select value=${theme} onChange=${choose}>
      ${THEMES.map((name) => html`<option value=${name}>${name}</option>`)}
    </select>
  </label>`;
}
