import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Response,
} from 'playwright-core';

const SHELL = '/usr/bin/chromium-headless-shell';
/** Debian's headless shell: the same pages without a window, which takes more CPU time than the page. */
const EXECUTABLE = process.env['CHROMIUM'] ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium');
export const hasChromium = spawnSync(EXECUTABLE, ['--version'], { stdio: 'ignore' }).status === 0;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Time limit for a browser beside a platform and other suites on two processors. */
const PATIENCE_MS = 30_000;

export async function launchBrowser(): Promise<Browser> {
  // The sandbox does not run as root, which some CI containers use.
  return await chromium.launch({
    executablePath: EXECUTABLE,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
}

interface WatchedOptions {
  readonly origin: string;
  /** Secrets that must not be visible to scripts. */
  readonly secrets: readonly string[];
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly language?: string;
}

/** User's browser that records everything that must not happen. */
export class WatchedBrowser {
  readonly context: BrowserContext;
  readonly #options: WatchedOptions;
  /** Violated policies, errors in the log, and requests to other hosts. */
  readonly faults: string[] = [];
  /** Whether the test provokes errors, which also appear in the browser's log. */
  #isExpectingRefusals = false;
  readonly #looks: Promise<void>[] = [];

  private constructor(context: BrowserContext, options: WatchedOptions) {
    this.context = context;
    this.#options = options;
  }

  static async open(browser: Browser, options: WatchedOptions): Promise<WatchedBrowser> {
    const { theme = 'light', width = 1280, language = 'en-GB' } = options;
    const context = await browser.newContext({
      colorScheme: theme,
      viewport: { width, height: width < 500 ? 844 : 800 },
      locale: language,
      reducedMotion: 'reduce',
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    context.setDefaultTimeout(PATIENCE_MS);
    return new WatchedBrowser(context, options);
  }

  async page(path = '/'): Promise<Page> {
    const page = await this.context.newPage();
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (isRefusal && this.#isExpectingRefusals) return;
      this.faults.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('request', (request) => {
      const { origin } = new URL(request.url());
      if (origin !== this.#options.origin && origin !== 'null') this.faults.push(`asks ${origin}`);
      for (const secret of this.#options.secrets) {
        if (request.url().includes(secret)) this.faults.push('a secret stands in an address');
      }
    });
    page.on('response', (response) => {
      if (response.status() >= 500 && !this.#isExpectingRefusals)
        this.faults.push(`${response.status()} of ${response.url()}`);
      if (isKnown(response.url())) return;
      // Requests that were in progress at the end have no body.
      this.#looks.push(this.#lookInto(response).catch(() => undefined));
    });
    await page.goto(this.#options.origin + path);
    return page;
  }

  expectRefusals(): void {
    this.#isExpectingRefusals = true;
  }

  /** Returns the places that a script can read and that contain a secret. */
  async leaks(page: Page): Promise<string[]> {
    const seen = await page.evaluate<Record<string, string>>(`({
      page: document.documentElement.outerHTML,
      kept: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
      cookies: document.cookie,
    })`);
    return Object.entries(seen)
      .filter(([, text]) => this.#hasSecret(text))
      .map(([place]) => place);
  }

  /** Checks headers and body, which the browser's tools would keep. */
  async #lookInto(response: Response): Promise<void> {
    const headers = {
      ...(await response.request().allHeaders()),
      ...(await response.allHeaders()),
    };
    // A stream of events ends with its page.
    const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
    const body = isStream ? '' : await response.text();
    if (this.#hasSecret(JSON.stringify(headers) + body)) {
      this.faults.push(`a secret stands in an answer: ${response.url()}`);
    }
  }

  #hasSecret(text: string): boolean {
    return (
      this.#options.secrets.some((secret) => text.includes(secret)) || /eyJ[\w-]{10,}\./.test(text)
    );
  }

  async close(): Promise<void> {
    await this.context.close();
    await Promise.all(this.#looks);
  }
}

const KNOWN_FILES = new Set<string>();

/**
 * Whether a file was already checked. Files with a digest of their content in their name are the same for all users.
 */
function isKnown(url: string): boolean {
  if (!url.includes('/assets/')) return false;
  const isSeen = KNOWN_FILES.has(url);
  KNOWN_FILES.add(url);
  return isSeen;
}

/** Returns the accessibility problems that axe finds on the page. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Evaluated through the debugger, so that the policy of the page remains in force.
  await page.evaluate(AXE);
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    );
  });
}
