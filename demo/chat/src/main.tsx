import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createChatUser } from './chat-user.ts';
import { readUsers } from './page.ts';
import './style.css';

const root = document.getElementById('root');
if (root) createRoot(root).render(<App users={readUsers().map(createChatUser)} />);
