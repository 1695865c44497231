import { Component, type ReactNode } from 'react';
import { languageStore } from '../messages/language.js';
import { SHARED } from '../messages/shared.js';
import { Banner } from '../ui/banner.js';
import { Button } from '../ui/button.js';

/** A mistake of ours breaks the page that it is in, says so, and can be copied for whoever mends it. */
export class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly error: unknown }
> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const t = SHARED[languageStore.get()];
    const what = error instanceof Error ? `${error.name}: ${error.message}` : 'not an Error';
    const details = `${what}\n${location.pathname}`;
    return (
      <Banner
        tone="bad"
        title={t.broken}
        actions={
          <>
            <Button onClick={() => void navigator.clipboard.writeText(details)}>
              {t.copyDetails}
            </Button>
            <Button
              onClick={() => {
                location.reload();
              }}
            >
              {t.reload}
            </Button>
          </>
        }
      />
    );
  }
}
