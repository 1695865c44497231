import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  // The client as it stands in its sources: only what is used of it is taken.
  resolve: { conditions: ['@zonewright/source', 'module', 'browser', 'production'] },
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy of pages allows no script and no style that is not a file of its own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // "use client" is for servers that render, and how long a build takes on a busy machine is no warning.
      onLog: (level, log, handle) => {
        if (!['MODULE_LEVEL_DIRECTIVE', 'PLUGIN_TIMINGS'].includes(log.code)) handle(level, log);
      },
    },
  },
});
