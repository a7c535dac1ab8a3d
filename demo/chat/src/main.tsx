import { createRoot } from 'react-dom/client';
import { usersOf } from './addresses.ts';
import { App } from './app.tsx';
import { createChatUser } from './chat-user.ts';
import '@parley/react-ui/style.css';
import './style.css';

const root = document.getElementById('root');
if (root) createRoot(root).render(<App users={usersOf(location.href).map(createChatUser)} />);
