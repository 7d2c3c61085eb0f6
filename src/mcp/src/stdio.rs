//! The server over standard input and output: one client, one line a message.

use std::io;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::ServerInitializeError;
use rmcp::transport::{Transport, stdio_pipes};
use serde::Serialize;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::http::MAX_BODY_BYTES;
use crate::refusal;
use crate::server::Server;

/// Answers until standard input ends. Nothing else may write to standard output.
///
/// # Errors
/// What the client says first is neither a handshake nor a request that stands for itself; the text says what it was.
pub async fn serve(server: Server) -> Result<(), String> {
    let (input, output) = stdio_pipes();
    serve_on(server, input, output).await
}

/// As [`serve`], over any two streams.
///
/// # Errors
/// As [`serve`].
pub async fn serve_on(
    server: Server,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), String> {
    let (lines, mut writer) = Lines::new(input, output);
    let result = match rmcp::serve_server(server, lines).await {
        Ok(running) => running.waiting().await.map(drop).map_err(|error| error.to_string()),
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(ServerInitializeError::ExpectedInitializeRequest(_)) => {
            Err("the client's first message is neither `initialize` nor a request that stands for itself".into())
        }
        Err(error) => Err(error.to_string()),
    };
    // Refusals too are to be read, unless nobody does.
    if tokio::time::timeout(CLOSE_PATIENCE, &mut writer).await.is_err() {
        writer.abort();
    }
    result
}

/// One message a line. The SDK's own transport says nothing of lines that it cannot read, and whoever sent one waits for ever.
///
/// Reading may be given up at any moment and taken up again, so whatever is under way is kept here.
struct Lines<R> {
    input: BufReader<R>,
    /// What has been read of the next line.
    line: Vec<u8>,
    /// Whether the rest of the line is passed over, because it is too long.
    is_too_long: bool,
    /// A refusal that is still to be written.
    refusal: Option<Vec<u8>>,
    /// Lines for the one who writes, and where to tell what became of them.
    output: Option<mpsc::Sender<Line>>,
}

type Line = (Vec<u8>, Option<oneshot::Sender<io::Result<()>>>);

/// How many lines may wait to be written.
const WAITING: usize = 64;

/// How long answers may take to be read once the input has ended.
const CLOSE_PATIENCE: Duration = Duration::from_secs(5);

/// What was found in the input.
enum Read {
    Line,
    TooLong,
    End,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Also gives the one who writes, and is done when all is written and no more can come.
    fn new(input: R, output: impl AsyncWrite + Send + Unpin + 'static) -> (Self, JoinHandle<()>) {
        let (sender, lines) = mpsc::channel(WAITING);
        let this = Self {
            input: BufReader::new(input),
            line: Vec::new(),
            is_too_long: false,
            refusal: None,
            output: Some(sender),
        };
        (this, tokio::spawn(write(output, lines)))
    }

    /// Reads on to the end of a line, which is then in `self.line`.
    async fn read(&mut self) -> io::Result<Read> {
        loop {
            let available = self.input.fill_buf().await?;
            let is_end = available.is_empty();
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            if self.is_too_long || self.line.len() + part.len() > MAX_BODY_BYTES {
                self.is_too_long = true;
                self.line.clear();
            } else {
                self.line.extend_from_slice(part);
            }
            let length = part.len() + usize::from(end.is_some());
            self.input.consume(length);
            if end.is_some() || is_end {
                return Ok(match (std::mem::take(&mut self.is_too_long), is_end && self.line.is_empty()) {
                    (true, _) => Read::TooLong,
                    (false, true) => Read::End,
                    // A last line may end with the input.
                    (false, false) => Read::Line,
                });
            }
        }
    }
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = self.output.clone();
        async move {
            let gone = || io::Error::from(io::ErrorKind::NotConnected);
            let (told, written) = oneshot::channel();
            let output = output.ok_or_else(gone)?;
            output.send((line(&message), Some(told))).await.map_err(|_| gone())?;
            written.await.map_err(|_| gone())?
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.refusal.is_some() {
                let place = self.output.as_ref()?.reserve().await.ok()?;
                place.send((self.refusal.take()?, None));
            }
            let error = match self.read().await {
                Ok(Read::Line) => {
                    let text = self.line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&self.line).trim_ascii();
                    let message = (!text.is_empty()).then(|| refusal::read(text));
                    self.line.clear();
                    match message {
                        None => continue,
                        Some(Ok(message)) => return Some(message),
                        Some(Err(error)) => error,
                    }
                }
                Ok(Read::TooLong) => refusal::too_long(MAX_BODY_BYTES),
                Ok(Read::End) | Err(_) => return None,
            };
            self.refusal = Some(line(&error));
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output = None;
        Ok(())
    }
}

fn line(message: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).expect("messages serialise");
    line.push(b'\n');
    line
}

async fn write(mut output: impl AsyncWrite + Unpin, mut lines: mpsc::Receiver<Line>) {
    while let Some((line, told)) = lines.recv().await {
        let written = async {
            output.write_all(&line).await?;
            output.flush().await
        };
        let result = written.await;
        let is_broken = result.is_err();
        if let Some(told) = told {
            // Whoever does not listen any more need not know.
            _ = told.send(result);
        }
        if is_broken {
            return;
        }
    }
}
