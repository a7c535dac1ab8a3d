import './mantine.css';
import './style.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { QUERIES } from './api/query-client.ts';
import { ROUTER } from './router.tsx';
import { THEME, VARIABLES } from './ui/theme.ts';
import { Toasts } from './ui/toasts.tsx';

const NONCE = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <MantineProvider
      theme={THEME}
      cssVariablesResolver={VARIABLES}
      defaultColorScheme="auto"
      getStyleNonce={() => NONCE}
    >
      <QueryClientProvider client={QUERIES}>
        <RouterProvider router={ROUTER} />
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>,
  );
}
