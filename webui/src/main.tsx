import '@patternfly/react-core/dist/styles/base.css';
import './theme/styles.css';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { Refusal } from './api/refusal';
import { startLanguage } from './language/language';
import { presentationOf } from './pages/presentations';
import { PresentationsOf } from './resources/presentation';
import { router } from './router';
import { SessionGate } from './session/SessionGate';
import { startTheme } from './theme/theme';

const RELOADED = 'sanstone.reloaded';

// A page from before an update asks for files that are gone: it is loaded anew, but not for ever.
addEventListener('vite:preloadError', (event) => {
  if (sessionStorage.getItem(RELOADED) === document.lastModified) return;
  sessionStorage.setItem(RELOADED, document.lastModified);
  event.preventDefault();
  location.reload();
});

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A browser without the Internet, or just without one of its networks, takes itself for
      // offline; the array may be reached all the same.
      networkMode: 'always',
      // A refused request is refused again; `send` repeats those that the array could not answer.
      retry: (count, error) => !(error instanceof Refusal) && count < 2,
    },
  },
});

startTheme();
void startLanguage().then(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <SessionGate>
          <PresentationsOf value={presentationOf}>
            <RouterProvider router={router} />
          </PresentationsOf>
        </SessionGate>
      </QueryClientProvider>
    </StrictMode>,
  ),
);
