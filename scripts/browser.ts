import { type Browser, chromium } from 'playwright-core';
import { BROWSER, findProgram } from './check/ensure-installed.ts';

/** Keeps Chromium from calling home. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** This machine's Chromium, headless. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findProgram(BROWSER.commands);
  if (!executablePath) throw new Error('This needs Chromium. On Debian or Ubuntu: sudo apt-get install -y chromium');
  return chromium.launch({ executablePath, args: QUIET });
}
