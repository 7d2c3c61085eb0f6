//! The two ends of `tests/bench/http`: a bare server that answers as many bytes as it is told to, and a client that asks any server the
//! same requests over and over.
//!
//!     cargo bench -p chemenu-mcp --bench http -- echo
//!     cargo bench -p chemenu-mcp --bench http -- load ADDRESS SECONDS CONNECTIONS < REQUESTS
//!
//! `echo` prints its address and serves until it is killed. `load` reads requests as JSON, `{"headers": {…}, "body": …}` a line, and prints
//! what it measured as JSON.

use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::post;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// The longest answer that can be asked of `echo`, in bytes.
const MAX_ECHO: usize = 1 << 20;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["echo"] => echo().await,
        ["load", address, seconds, connections] => {
            let seconds = Duration::from_secs_f64(seconds.parse().expect("seconds are a number"));
            let connections = connections.parse().expect("connections are a number");
            println!("{}", load(address, seconds, connections).await);
        }
        // `cargo test --benches` starts it without a word.
        _ => eprintln!("usage: echo | load ADDRESS SECONDS CONNECTIONS"),
    }
}

/// Reads a body, and answers with as many bytes as the header `echo-bytes` says.
async fn echo() {
    let bytes = Bytes::from(vec![b' '; MAX_ECHO]);
    let answer = move |headers: HeaderMap, body: Bytes| async move {
        let size = headers.get("echo-bytes").and_then(|size| size.to_str().ok()?.parse::<usize>().ok());
        match size {
            Some(size) if size <= MAX_ECHO && !body.is_empty() => {
                ([(header::CONTENT_TYPE, "application/json")], bytes.slice(..size)).into_response()
            }
            _ => StatusCode::BAD_REQUEST.into_response(),
        }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    println!("{}", listener.local_addr().expect("it is bound"));
    axum::serve(listener, Router::new().route("/mcp", post(answer))).await.expect("it serves");
}

/// Asks on several connections at once, each the next request when it has an answer.
async fn load(address: &str, time: Duration, connections: usize) -> Value {
    let requests: Vec<Vec<u8>> =
        std::io::stdin().lines().map(|line| request(address, &line.expect("requests are text"))).collect();
    let requests: &'static [Vec<u8>] = requests.leak();
    let start = Instant::now();
    let tasks: Vec<_> = (0..connections)
        .map(|number| {
            let address = address.to_owned();
            tokio::spawn(async move {
                let mut connection = BufReader::new(TcpStream::connect(address).await.expect("the server listens"));
                connection.get_ref().set_nodelay(true).expect("it is a TCP connection");
                let mut waits = Vec::new();
                // Each begins elsewhere.
                for request in requests.iter().cycle().skip(number * requests.len() / connections) {
                    let asked = Instant::now();
                    if asked - start >= time {
                        break;
                    }
                    connection.get_mut().write_all(request).await.expect("the server reads");
                    let bytes = answer(&mut connection).await;
                    waits.push((asked.elapsed(), bytes));
                }
                waits
            })
        })
        .collect();
    let mut waits = Vec::new();
    for task in tasks {
        waits.extend(task.await.expect("a connection lasts"));
    }
    let seconds = start.elapsed().as_secs_f64();
    waits.sort_unstable();
    let micros = |share: usize| waits[(waits.len() - 1) * share / 100].0.as_secs_f64() * 1e6;
    let bytes: usize = waits.iter().map(|(_, bytes)| bytes).sum();
    json!({
        "requests": waits.len(),
        "per_second": waits.len() as f64 / seconds,
        "p50_us": micros(50),
        "p99_us": micros(99),
        "bytes": bytes / waits.len(),
    })
}

/// The bytes of a request.
fn request(address: &str, line: &str) -> Vec<u8> {
    let told: Value = serde_json::from_str(line).expect("requests are JSON");
    let body = told["body"].as_str().expect("a body is text");
    let mut head = format!("POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in told["headers"].as_object().expect("headers are an object") {
        head += &format!("{name}: {}\r\n", value.as_str().expect("a header is text"));
    }
    format!("{head}\r\n{body}").into_bytes()
}

/// Reads an answer, which must be a good one of a length that is told, and gives that length.
async fn answer(connection: &mut BufReader<TcpStream>) -> usize {
    let (mut line, mut length) = (String::new(), None);
    connection.read_line(&mut line).await.expect("the server answers");
    assert!(line.starts_with("HTTP/1.1 200 "), "{line}");
    loop {
        line.clear();
        connection.read_line(&mut line).await.expect("the server answers");
        match line.trim_end().split_once(':') {
            None => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.trim().parse().ok(),
            Some(_) => {}
        }
    }
    let length = length.expect("an answer tells its length");
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await.expect("the server answers");
    length
}
