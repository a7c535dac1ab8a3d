import { ParleyProvider } from '@parley/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Chat } from './chat.tsx';
import { logIn } from './client.ts';
import './style.css';

// The address names the user and the other one: `/?me=ada&other=grace`. Your own application knows the user from its login.
const address = new URLSearchParams(location.search);
const [me, other] = [address.get('me'), address.get('other')];

function TwoUsers() {
  return (
    <main className="two">
      <iframe title="Ada" src="/?me=ada&other=grace" />
      <iframe title="Grace" src="/?me=grace&other=ada" />
    </main>
  );
}

function App() {
  if (!me || !other) return <TwoUsers />;
  return (
    <ParleyProvider client={logIn(me, other)}>
      <Chat me={me} other={other} />
    </ParleyProvider>
  );
}

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
